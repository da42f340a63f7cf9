# shellcheck shell=sh
# Other scripts source this file. It makes NVIDIA GPUs visible to OpenCL on systems (mostly containers) where NVIDIA's
# OpenCL driver is not registered, or where its folder is not in LD_LIBRARY_PATH. On other systems it changes nothing.
# SPDX-License-Identifier: GPL-3.0-or-later

for pm_dir in /usr/local/nvidia/lib64 /usr/local/cuda/lib64 /usr/local/cuda/extras/CUPTI/lib64; do
    case ":${LD_LIBRARY_PATH:-}:" in
    *":$pm_dir:"*) ;;
    *) [ ! -d "$pm_dir" ] || export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$pm_dir" ;;
    esac
done

# pm_nvidia_icd FOLDER: registers NVIDIA's OpenCL driver. The registration goes into FOLDER if /etc
# cannot be written.
pm_nvidia_icd() {
    pm_found=
    for pm_dir in /usr/lib/x86_64-linux-gnu /usr/lib/aarch64-linux-gnu /usr/lib64 /usr/local/nvidia/lib64; do
        [ ! -e "$pm_dir/libnvidia-opencl.so.1" ] || pm_found=$pm_dir/libnvidia-opencl.so.1
    done
    [ -n "$pm_found" ] || return 0
    [ -z "${OCL_ICD_VENDORS:-}" ] || return 0
    ! grep -qs nvidia /etc/OpenCL/vendors/*.icd || return 0
    if mkdir -p /etc/OpenCL/vendors 2>/dev/null && [ -w /etc/OpenCL/vendors ]; then
        echo libnvidia-opencl.so.1 >/etc/OpenCL/vendors/nvidia.icd
        return 0
    fi
    mkdir -p "$1"
    cp /etc/OpenCL/vendors/*.icd "$1" 2>/dev/null || true
    echo "$pm_found" >"$1/nvidia.icd"
    export OCL_ICD_VENDORS="$1"
}
