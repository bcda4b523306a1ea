#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Manual pages and completion, made of the command's own tables. usage: manual.sh WEFT
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/lib.sh"

verbs=$("$weft" help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' | sed '/^help$/,$d')
[ "$(wc -w <<<"$verbs")" -ge 13 ] || fail "too few verbs: $verbs"

# ---- pages ---------------------------------------------------------------------------------------------------------
# Every option of the help is in the page, and groff has nothing to warn of.
look() { # NAME: of page.1
    n_checks=$((n_checks + 1))
    command -v groff >/dev/null || return 0
    groff -man -Tutf8 -Kutf8 -ww -rLL=78n page.1 >page.txt 2>page.err || fail "$1: $(cat page.err)"
    [ ! -s page.err ] || fail "$1: $(cat page.err)"
    sed -i 's/\x1b\[[0-9;]*m//g; s/.\x08//g' page.txt
    grep -q '^NAME' page.txt && grep -q '^EXAMPLES' page.txt || fail "$1 lacks a section"
}
"$weft" manual >page.1 || fail "no page of the command"
look weft
for verb in $verbs; do
    grep -q "weft-$verb(1)" page.txt || command -v groff >/dev/null && grep -q "weft\\\\-$verb" page.1 || fail "no $verb in weft.1"
done
for verb in $verbs; do
    "$weft" manual "$verb" >page.1 || fail "no page of $verb"
    look "$verb"
    for option in $("$weft" help "$verb" | sed -n '/^options$/,/^$/s/^  \(-.,\|   \) \(--[a-z0-9-]*\).*/\2/p'); do
        grep -qF -- "${option//-/\\-}" page.1 || fail "$verb: $option is not in the page"
        n_checks=$((n_checks + 1))
    done
done

# ---- bash ----------------------------------------------------------------------------------------------------------
"$weft" manual --bash >weft.bash || fail "no completion for bash"
# What bash would offer, a line each; "(files)" where it is left to find files.
complete_bash() { # WORD..: the last one is to be completed
    bash -c '. ./weft.bash
        compopt() { echo "(files)"; }
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _weft
        [ ${#COMPREPLY[@]} -eq 0 ] || printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}
completes() { # WANTED WORD..
    local wanted=$1 got
    shift
    got=$(complete_bash "$@" | sort | tr '\n' ' ')
    n_checks=$((n_checks + 1))
    [ "$got" = "$wanted" ] || fail "$* completes to '$got', not to '$wanted'"
}
completes 'render run ' weft r
completes '--resume ' weft run --res
completes 'shear sides speed stretch ' weft render out --color s
completes 'mdd ' weft export out --format m
completes 'glb ' weft export out --format = g
completes 'sew ' weft help se
completes '' weft run --frames ''
completes '(files) ' weft run dra
completes '(files) ' weft run dra.yaml -o ou
completes '(files) ' weft check --against ''
completes '--version ' weft --v
for verb in $verbs; do
    for option in $("$weft" help "$verb" | sed -n '/^options$/,/^$/s/^  \(-.,\|   \) \(--[a-z0-9-]*\).*/\2/p'); do
        complete_bash weft "$verb" "$option" | grep -qx -- "$option" || fail "$verb: $option is not completed"
        n_checks=$((n_checks + 1))
    done
done
[ "$(bash -c '. ./weft.bash; complete -p weft')" = 'complete -F _weft weft' ] || fail "bash is not told of it"

# ---- zsh -----------------------------------------------------------------------------------------------------------
"$weft" manual --zsh >_weft || fail "no completion for zsh"
[ "$(head -1 _weft)" = '#compdef weft' ] || fail "zsh would not take it"
for verb in $verbs; do
    grep -q "^    $verb)" _weft || fail "no $verb for zsh"
done
if command -v zsh >/dev/null; then
    zsh -n _weft || fail "zsh does not understand it"
    cat >try.zsh <<'END'
# A terminal of its own, in which Tab is pressed: what zsh then shows.
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1= RPS1= ; fpath=($PWD \$fpath); autoload -U compinit; compinit -u -D; zstyle ':completion:*' format ''; stty -echo; echo rea''dy"
zpty -r -m z out '*ready*'
zpty -n -w z "$1"$'\t'
zpty -r -t z out; for i in {1..40}; do sleep 0.1; zpty -r -t z more && out+=$more; [[ $out == *$2* ]] && break; done
print -r -- "$out"
END
    for words in 'weft ren:render' 'weft export --form:--format' 'weft export out --format us:usda'; do
        n_checks=$((n_checks + 1))
        zsh try.zsh "${words%:*}" "${words#*:}" >shown.txt 2>&1
        grep -qF -- "${words#*:}" shown.txt || fail "zsh: ${words%:*} shows $(cat -v shown.txt)"
    done
else
    echo "left out, zsh is not installed: Tab in zsh"
fi

# ---- bad input -----------------------------------------------------------------------------------------------------
wrong "there is no verb 'runn'" "$weft" manual runn
wrong 'takes one of a verb, --bash and --zsh' "$weft" manual run --bash
wrong 'there are --help, --help=man' "$weft" run --help=html

echo "$n_checks checks passed"
