/* AES-128 encryption on the CPU, byte by byte as FIPS-197 tells it: what the kernels are held
 * against.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_KERNELS_AES128_REFERENCE_H
#define PM_KERNELS_AES128_REFERENCE_H

typedef struct {
    unsigned char keys[11][16]; /* by round */
} pm_aes128_reference;

void pm_aes128_reference_key(pm_aes128_reference *reference, const unsigned char key[16]);
void pm_aes128_reference_encrypt(const pm_aes128_reference *reference,
                                 const unsigned char plain[16], unsigned char cipher[16]);

#endif
