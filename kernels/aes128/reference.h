/* AES-128 encryption on the CPU, byte by byte as in FIPS-197. The kernels' results are compared
 * with it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_KERNELS_AES128_REFERENCE_H
#define PM_KERNELS_AES128_REFERENCE_H

typedef struct {
    unsigned char keys[11][16]; /* keys of the rounds */
} pm_aes128_reference;

void pm_aes128_reference_key(pm_aes128_reference *reference, const unsigned char key[16]);
void pm_aes128_reference_encrypt(const pm_aes128_reference *reference,
                                 const unsigned char plain[16], unsigned char cipher[16]);

#endif
