# bash completion for perfmodel. Written by scripts/make_manual.py: do not edit.
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

# the long options of a command
_perfmodel_options()
{
    case $1 in
        init) echo '--force --output --cuda-compiler --kernel --grid --block --shared --arg --set --build-options --datasets --format --json --quiet --help' ;;
        devices) echo '--device --probe --output --datasets --format --json --quiet --help' ;;
        collect) echo '--target --program --variant --size --suite --workload --counters --device --time-limit --energy --import --list --shard --output --sample --step-limit --ptxas --cuda-compiler --seed --kernel --grid --block --shared --arg --set --build-options --datasets --format --json --quiet --help' ;;
        validate) echo '--variant --size --from --with --method --counters --no-source-time --leave-out --methods --plot --title --datasets --format --json --quiet --help' ;;
        predict) echo '--target --program --variant --size --workload --from --with --method --counters --basis --no-source-time --leave-out --sample --step-limit --ptxas --cuda-compiler --seed --kernel --grid --block --shared --arg --set --build-options --datasets --format --json --quiet --help' ;;
        trace) echo '--target --program --variant --size --workload --shard --output --sample --step-limit --ptxas --cuda-compiler --seed --kernel --grid --block --shared --arg --set --build-options --datasets --format --json --quiet --help' ;;
        transform) echo '--target --program --variant --size --workload --leave-out --clusters --layout --shared --work-group --scratch --local-bytes --analyse --kernel --build-options --output --sample --step-limit --ptxas --cuda-compiler --seed --datasets --format --json --quiet --help' ;;
        advise) echo '--target --program --variant --size --workload --with --leave-out --clusters --check-limit --steps --template --template-cuda --sample --step-limit --ptxas --cuda-compiler --seed --kernel --grid --block --shared --arg --set --build-options --rate --gpu-hour --runs --passes --gpus --energy-price --co2 --hours --effort --currency --instead --datasets --format --json --quiet --help' ;;
        tune) echo '--target --size --workload --with --leave-out --device --shard --budget --measure --space --known --cache --ranking --output --sample --step-limit --ptxas --cuda-compiler --seed --kernel --grid --block --shared --arg --set --build-options --datasets --format --json --quiet --help' ;;
        report) echo '--target --program --variant --size --workload --with --leave-out --clusters --check-limit --output --format --sample --step-limit --ptxas --cuda-compiler --seed --kernel --grid --block --shared --arg --set --build-options --rate --gpu-hour --runs --passes --gpus --energy-price --co2 --hours --effort --currency --instead --datasets --json --quiet --help' ;;
        capture) echo '--source --build-options --kernel --longest --share --first --launches --max-bytes --all-contents --max-seconds --tolerance --output --format --json --quiet --help' ;;
        check) echo '--target --variant --size --workload --with --shard --against --tolerance --fail-on --junit --sarif --output --sample --step-limit --ptxas --cuda-compiler --seed --kernel --grid --block --shared --arg --set --build-options --datasets --format --json --quiet --help' ;;
        merge) echo '--against --tolerance --fail-on --junit --sarif --output --format --json --quiet --help' ;;
        cache) echo '--clear --fill --datasets --format --json --quiet --help' ;;
        setup) echo '--format --json --quiet --help' ;;
    esac
}

# what to complete for "COMMAND OPTION", or for the plain arguments of "COMMAND ": values (=all) and
# kinds of values
_perfmodel_values()
{
    case $1 in
        'init ') echo 'sources' ;;
        'init --output' | 'init -o') echo 'files:workload' ;;
        *' --cuda-compiler') echo '=auto =clang =nvcc' ;;
        *' --kernel' | *' --grid' | *' --block' | *' --arg' | *' --set' | *' --build-options' | *' --device' | \
            *' --step-limit' | *' --seed' | *' --clusters' | *' --check-limit' | *' --rate' | *' --gpu-hour' | \
            *' --runs' | *' --passes' | *' --gpus' | *' --energy-price' | *' --co2' | *' --hours' | *' --currency' | \
            *' --tolerance' | 'init --shared' | 'collect --time-limit' | 'collect --shared' | 'validate --title' | \
            'predict --shared' | 'trace --shared' | 'transform --work-group' | 'transform --scratch' | \
            'transform --local-bytes' | 'advise --shared' | 'tune --budget' | 'tune --measure' | 'tune --shared' | \
            'report --shared' | 'capture --longest' | 'capture --share' | 'capture --first' | 'capture --launches' | \
            'capture --max-bytes' | 'capture --max-seconds' | 'check --shared') echo 'none' ;;
        *' --datasets' | 'transform --output' | 'transform -o' | 'capture --source' | 'capture --output' | 'capture -o') echo 'folders' ;;
        'init --format' | 'devices --format' | 'collect --format' | 'validate --format' | 'predict --format' | \
            'trace --format' | 'transform --format' | 'advise --format' | 'tune --format' | 'capture --format' | \
            'check --format' | 'merge --format' | 'cache --format' | 'setup --format') echo '=text =csv =md =json' ;;
        'devices --output' | 'devices -o' | 'collect --output' | 'collect -o') echo 'files:csv' ;;
        *' --workload' | 'collect ' | 'trace ' | 'advise ' | 'tune ' | 'report ' | 'check ') echo 'workloads' ;;
        *' --instead' | 'collect --target' | 'trace --target' | 'transform --target' | 'advise --target' | 'tune --target' | \
            'report --target' | 'check --target') echo 'gpus' ;;
        *' --program') echo 'programs' ;;
        *' --variant') echo 'variants' ;;
        *' --size') echo 'sizes' ;;
        'collect --suite') echo '=suite =corpus =all =cuda' ;;
        'collect --counters') echo '=auto =cupti =trace =none' ;;
        'collect --import' | 'report --output' | 'report -o' | 'merge --output' | 'merge -o') echo 'files' ;;
        *' --shard') echo '=auto' ;;
        *' --sample') echo '=all' ;;
        *' --from' | *' --with' | 'validate ') echo 'datasets' ;;
        *' --method') echo 'methods' ;;
        'validate --counters' | 'predict --counters') echo '=all =code' ;;
        'validate --leave-out') echo '=program =class =sample =gpu =architecture' ;;
        'validate --plot') echo 'files:svg' ;;
        'predict ') echo 'sources workloads datasets' ;;
        'predict --target') echo 'gpus datasets' ;;
        'predict --basis') echo '=dataset =profile' ;;
        'predict --leave-out' | 'transform --leave-out' | 'advise --leave-out' | 'tune --leave-out' | 'report --leave-out') echo '=program =class' ;;
        *' --against' | 'trace --output' | 'trace -o' | 'tune --space' | 'tune --known' | 'tune --cache' | 'tune --ranking' | \
            'tune --output' | 'tune -o' | 'check --output' | 'check -o') echo 'files:json' ;;
        'transform ') echo 'workloads files:cl,cu' ;;
        'transform --layout') echo '=aos =aos-align =aos-align8 =soa =asta: =cluster: =cluster-align: =cluster-align8:' ;;
        *' --effort') echo '=write= =read= =kernel= =struct= =factor=' ;;
        'report --format') echo '=html =md =json' ;;
        *' --fail-on') echo '=time =spills =doubles =sectors =waits =barriers' ;;
        *' --junit') echo 'files:xml' ;;
        *' --sarif') echo 'files:sarif' ;;
        'merge ') echo 'files:csv,jsonl' ;;
        'setup ') echo '=nvidia' ;;
    esac
}

# the values of a kind
_perfmodel_list()
{
    case $1 in
        =*) printf '%s\n' "${1#=}" ;;
        gpus) _perfmodel_gpus ;;
        datasets)
            _perfmodel_datasets
            _perfmodel_files csv
            ;;
        programs | sizes) _perfmodel_suite "$1" ;;
        variants)
            _perfmodel_suite variants
            printf '%s\n' shared shared:
            ;;
        methods) COLUMNS=1000 "${COMP_WORDS[0]}" validate --methods 2>/dev/null | sed 's/:.*//' ;;
        folders) compgen -d -- "$cur" ;;
        workloads) _perfmodel_files cl cu hip ptx c cpp workload ;;
        sources) _perfmodel_files cl cu hip ptx c cpp ;;
        files) compgen -f -- "$cur" ;;
        files:*)
            # shellcheck disable=SC2046 # a list of endings
            _perfmodel_files $(printf '%s' "${1#files:}" | tr , ' ')
            ;;
    esac
}

# files with one of these endings, and folders
_perfmodel_files()
{
    local ending
    for ending; do
        compgen -f -X "!*.$ending" -- "$cur"
    done
    compgen -d -S / -- "$cur"
}

_perfmodel()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]-} kinds='' kind words='' IFS=$' \t\n'

    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        words='init devices collect validate predict trace transform advise tune report capture check merge cache setup --help --version'
    else
        [[ $prev == -* ]] && kinds=$(_perfmodel_values "$command $prev")
        if [[ -z $kinds && $cur == -* ]]; then
            words=$(_perfmodel_options "$command")
        else
            for kind in ${kinds:-$(_perfmodel_values "$command ")}; do
                words+=" $(_perfmodel_list "$kind")"
            done
        fi
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
    [[ ${COMPREPLY[0]-} == */ ]] && compopt -o nospace 2>/dev/null
}

complete -o filenames -F _perfmodel perfmodel
