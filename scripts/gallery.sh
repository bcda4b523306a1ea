#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the pictures of docs/gallery.md, and the one that README.md opens with, from scenes of the repository: short
# animations as WebP, into docs/pictures. Needs ffmpeg with libwebp; for the pictures of the player Chromium and Node.
#
# usage: gallery.sh [NAME..]    these, or all; takes some minutes. WEFT is the program, build/weft if it is not set
set -euo pipefail
cd "$(dirname "$0")/.."
weft=$(realpath "${WEFT-build/weft}")
work=$(mktemp -d "${TMPDIR:-/tmp}/weft_gallery.XXXXXX")
trap 'rm -rf "$work"' EXIT
wanted=("$@")

is_wanted() {
    [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $1 "* ]]
}

# run_scene NAME SCENE OPTION..: once for all pictures of it
run_scene() {
    local name=$1 scene=$2
    shift 2
    [ -e "$work/$name" ] || "$weft" run "$scene" -o "$work/$name" --quiet --no-pictures --player-mb 0 "$@"
}

# animate PICTURE RUN FRAMES EVERY FPS OPTION..: frames of a run, rendered with these options
animate() {
    local picture=$1 run=$2 frames=$3 every=$4 fps=$5
    shift 5
    "$weft" render "$work/$run" --frames "$frames" --every "$every" --out "$work/$picture/f.png" --quiet \
        --width 480 --height 360 --samples 12 "$@"
    ffmpeg -nostdin -loglevel error -y -framerate "$fps" -pattern_type glob -i "$work/$picture/f_*.png" \
        -c:v libwebp_anim -quality 84 -compression_level 6 -loop 0 "docs/pictures/$picture.webp"
    ls -l "docs/pictures/$picture.webp"
}

if is_wanted ball; then
    run_scene ball scenes/ball.yaml
    animate ball ball 0:118 3 20 --width 640 --height 480
fi
if is_wanted distance; then
    run_scene ball scenes/ball.yaml
    animate distance ball 0:118 3 20 --color distance
fi
if is_wanted pressure; then
    run_scene ball scenes/ball.yaml
    animate pressure ball 0:118 3 20 --color pressure
fi
if is_wanted levels; then
    run_scene levels scenes/ball.yaml --set 'cloths.sheet.adapt={max_level: 2}' --set 'cloths.sheet.grid.nodes=[26, 26]'
    animate levels levels 0:118 3 20 --color level --wire
fi
if is_wanted ribbon; then
    run_scene ribbon scenes/ribbon.yaml
    animate ribbon ribbon 60:300 5 20
fi
if is_wanted flag; then
    run_scene flag scenes/flag.yaml
    animate flag flag 60:240 3 20
fi
if is_wanted crossed; then
    run_scene crossed scenes/crossed.yaml
    animate crossed crossed 0:60 2 15 --color intersections
fi
if is_wanted mat; then
    run_scene mat scenes/torture/mat.yaml
    animate mat mat 0:240 5 20
fi
if is_wanted turntable; then
    run_scene tablecloth scenes/tablecloth.yaml
    animate turntable tablecloth 60:118 2 15 --turn 6
fi

# The page of the player, as it opens.
if is_wanted player && [ -d web/node_modules/playwright-core ]; then
    "$weft" run scenes/ball.yaml -o "$work/page" --quiet --no-pictures
    node web/picture.js "$work/page/report.html" 90 distance docs/pictures/player.png
fi
