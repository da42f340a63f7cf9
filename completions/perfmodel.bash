# bash completion for perfmodel
# SPDX-License-Identifier: GPL-3.0-or-later

_perfmodel_datasets()
{
    local program share dir file
    program=$(command -v -- "${COMP_WORDS[0]}" 2>/dev/null) &&
        program=$(readlink -f -- "$program" 2>/dev/null)
    share=${PERFMODEL_SHARE:-${program%/*}/../share/perfmodel}
    for dir in "${PERFMODEL_DATASETS-}" \
        "${XDG_DATA_HOME:-$HOME/.local/share}/perfmodel/datasets" "$share/datasets"; do
        [[ -n $dir ]] || continue
        for file in "$dir"/*.csv; do
            [[ -e $file ]] && file=${file##*/} && printf '%s\n' "${file%.csv}"
        done
    done
}

# programs, variants or sizes of the suite
_perfmodel_suite()
{
    "${COMP_WORDS[0]}" collect --list 2>/dev/null | case $1 in
        programs) sed -n 's/^\([^ ][^ ]*\).*/\1/p' ;;
        *) sed -n "s/^  $1: *//p" | tr ' ' '\n' | sort -u ;;
    esac
}

_perfmodel()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]-} words='' files='' IFS=$' \t\n'

    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        words='devices collect validate predict --help --version'
    else
        case $prev in
            --program) words=$(_perfmodel_suite programs) ;;
            --variant) words=$(_perfmodel_suite variants) ;;
            --size) words=$(_perfmodel_suite sizes) ;;
            --target | --from) words=$(_perfmodel_datasets) files='!*.csv' ;;
            --method) words=$("${COMP_WORDS[0]}" validate --methods 2>/dev/null | sed 's/ .*//') ;;
            --leave-out)
                words=program
                [[ $command == validate ]] && words='program sample'
                ;;
            --counters)
                words='all code'
                [[ $command == collect ]] && words='auto cupti none'
                ;;
            -o | --output) files='!*.csv' ;;
            --plot) files='!*.svg' ;;
            --datasets) mapfile -t COMPREPLY < <(compgen -d -- "$cur") && return ;;
            --device | --time-limit | --seed | --title) return ;;
            *)
                case $command in
                    devices) words='--datasets --json' ;;
                    collect)
                        words='--device --program --variant --size --counters --output
                            --time-limit --seed --list --json'
                        ;;
                    validate)
                        words='--from --method --methods --leave-out --counters --variant
                            --no-source-time --datasets --plot --title --json'
                        ;;
                    predict)
                        words='--target --from --program --leave-out --method --counters
                            --datasets --json'
                        ;;
                esac
                words="$words --help"
                if [[ $command == validate && $cur != -* ]]; then
                    words=$(_perfmodel_datasets)
                    files='!*.csv'
                fi
                ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur"
        if [[ -n $files ]]; then
            compgen -f -X "$files" -- "$cur"
            compgen -d -S / -- "$cur"
        fi)
    [[ ${COMPREPLY[0]-} == */ ]] && compopt -o nospace 2>/dev/null
}

complete -o filenames -F _perfmodel perfmodel
