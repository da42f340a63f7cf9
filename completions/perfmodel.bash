# bash completion for perfmodel
# SPDX-License-Identifier: GPL-3.0-or-later

_perfmodel_share()
{
    local program
    program=$(command -v -- "${COMP_WORDS[0]}" 2>/dev/null) &&
        program=$(readlink -f -- "$program" 2>/dev/null)
    printf '%s\n' "${PERFMODEL_SHARE:-${program%/*}/../share/perfmodel}"
}

# GPUs that devices.csv has a row of
_perfmodel_gpus()
{
    local dir
    for dir in "${PERFMODEL_DATASETS-}" "$(_perfmodel_share)/datasets"; do
        [[ -n $dir && -e $dir/devices.csv ]] || continue
        sed '1d; s/,.*//' "$dir/devices.csv"
        break
    done
}

_perfmodel_datasets()
{
    local share dir file
    share=$(_perfmodel_share)
    for dir in "${PERFMODEL_DATASETS-}" \
        "${XDG_DATA_HOME:-$HOME/.local/share}/perfmodel/datasets" "$share/datasets"; do
        [[ -n $dir ]] || continue
        for file in "$dir"/*.csv; do
            [[ -e $file ]] || continue
            file=${file##*/}
            case $file in
                devices.csv | gpu_names.csv | classes.csv | published.csv) ;;
                *) printf '%s\n' "${file%.csv}" ;;
            esac
        done
    done
}

# programs, variants or sizes of the suite
_perfmodel_suite()
{
    COLUMNS=1000 "${COMP_WORDS[0]}" collect --list 2>/dev/null | case $1 in
        programs) sed -n 's/^\([^ ][^ :]*\):.*/\1/p' ;;
        *) sed -n "s/^  $1: *//p" | tr ' ' '\n' | sort -u ;;
    esac
}

_perfmodel()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]-} words='' files='' IFS=$' \t\n'

    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        words='init devices collect validate predict trace transform advise tune report capture check merge cache --help --version'
    else
        case $prev in
            --program) words=$(_perfmodel_suite programs) ;;
            --variant) words="$(_perfmodel_suite variants) shared shared:" ;;
            --size) words=$(_perfmodel_suite sizes) ;;
            --target | --from | --with)
                words=$(_perfmodel_datasets) files='!*.csv'
                [[ $command == collect || $command == trace || $command == transform ]] &&
                    words=$(_perfmodel_gpus) files=''
                [[ $prev == --target && ($command == advise || $command == tune || $command == report ||
                    $command == check) ]] &&
                    words=$(_perfmodel_gpus) files=''
                [[ $prev == --target && $command == predict ]] && words+=" $(_perfmodel_gpus)"
                ;;
            --basis) words='dataset profile' ;;
            --method) words=$(COLUMNS=1000 "${COMP_WORDS[0]}" validate --methods 2>/dev/null | sed 's/:.*//') ;;
            --leave-out)
                words='program class'
                [[ $command == validate ]] && words+=' sample gpu architecture'
                ;;
            --counters)
                words='all code'
                [[ $command == collect ]] && words='auto cupti trace none'
                ;;
            --layout) words='aos aos-align aos-align8 soa asta: cluster: cluster-align: cluster-align8:' ;;
            -o | --output)
                [[ $command == transform || $command == capture ]] && mapfile -t COMPREPLY < <(compgen -d -- "$cur") && return
                files='!*.csv'
                [[ $command == report ]] && files='!*.html'
                [[ $command == init ]] && files='!*.workload'
                ;;
            --format)
                words='text csv md json'
                [[ $command == report ]] && words='html md json'
                ;;
            --suite) words='suite corpus all cuda' ;;
            --workload) files='!*.@(cl|cu|hip|c|cpp|workload)' ;;
            --space | --cache | --ranking | --known) files='!*.json' ;;
            --plot) files='!*.svg' ;;
            --datasets | --source) mapfile -t COMPREPLY < <(compgen -d -- "$cur") && return ;;
            --sample) words=all ;;
            --fail-on) words='time spills doubles sectors waits barriers' ;;
            --device | --step-limit | --time-limit | --seed | --title | --clusters | --build-options | \
                --check-limit | --work-group | --scratch | --local-bytes | --rate | --gpu-hour | --runs | --passes | \
                --gpus | --hours | --energy-price | --co2 | --currency | --kernel | --longest | --first | --launches | --max-bytes | \
                --max-seconds | --tolerance | --budget | --measure | --grid | --block | --arg | --set) return ;;
            --effort) words='write= read= kernel= struct= factor=' ;;
            --instead) words=$(_perfmodel_gpus) ;;
            *)
                case $command in
                    init) words='--output --force --datasets --json' ;;
                    devices) words='--probe --device --output --datasets --json' ;;
                    collect)
                        words='--device --suite --workload --program --variant --size --counters
                            --target --sample --step-limit --ptxas --output --time-limit --energy --shard --seed --list --datasets --json'
                        ;;
                    validate)
                        words='--from --with --method --methods --leave-out --counters --variant --size
                            --no-source-time --datasets --plot --title --json'
                        ;;
                    predict)
                        words='--with --target --from --basis --workload --program --variant --size --leave-out --no-source-time
                            --method --counters --sample --step-limit --ptxas --seed --datasets --json'
                        ;;
                    trace)
                        words='--program --workload --variant --size --target --sample --step-limit --ptxas --seed
                            --datasets --shard --output --json'
                        ;;
                    transform)
                        words='--layout --shared --work-group --scratch --local-bytes --analyse --kernel --program
                            --workload --target --variant --size --build-options --leave-out --clusters
                            --sample --step-limit --ptxas --seed --datasets --output --json'
                        ;;
                    capture)
                        words='--source --build-options --kernel --longest --first --launches --max-bytes --max-seconds --tolerance --output --json --'
                        ;;
                    merge) words='--output --against --tolerance --fail-on --junit --sarif --datasets --json' ;;
                    cache) words='--clear --fill --datasets --json' ;;
                    check)
                        words='--with --against --tolerance --fail-on --junit --sarif --target --workload --variant --size
                            --sample --step-limit --ptxas --seed --datasets --shard --output --json'
                        ;;
                    advise)
                        words='--with --target --program --workload --template --template-cuda --variant --size --leave-out
                            --clusters --check-limit --steps --sample --step-limit --ptxas --seed --datasets --rate --gpu-hour
                            --runs --passes --gpus --energy-price --co2 --hours --effort --currency --instead --json'
                        ;;
                    tune)
                        words='--with --target --workload --size --leave-out --budget --measure --device --space --cache
                            --ranking --known --shard --output --sample --step-limit --ptxas --seed --datasets --json'
                        ;;
                    report)
                        words='--with --target --program --workload --variant --size --leave-out --clusters --check-limit --format
                            --output --sample --step-limit --ptxas --seed --datasets --rate --gpu-hour --runs
                            --passes --gpus --energy-price --co2 --hours --effort --currency --json'
                        ;;
                esac
                case $command in
                    init | collect | predict | trace | advise | tune | report | check)
                        words="$words --kernel --grid --block --shared --arg --set --build-options"
                        ;;
                esac
                words="$words --format --quiet --help"
                case $command in
                    transform)
                        [[ $cur != -* ]] && words="$(compgen -f -X '!*.cl' -- "$cur")" &&
                            files='!*.workload' ;;
                    collect | trace | advise | tune | report | check)
                        [[ $cur != -* ]] && words='' files='!*.@(cl|cu|hip|c|cpp|workload)' ;;
                    init)
                        [[ $cur != -* ]] && words='' files='!*.@(cl|cu|hip|c|cpp)' ;;
                    predict)
                        [[ $cur != -* ]] && words="$(_perfmodel_datasets) $(compgen -f -X '!*.csv' -- "$cur")" &&
                            files='!*.@(cl|cu|hip|c|cpp|workload)' ;;
                esac
                [[ $command == merge && $cur != -* ]] && words='' files='!*.@(csv|jsonl)'
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
