#!/bin/sh
# Clones the garden into this folder if it is not there yet, then starts bloom with the given arguments.
# GARDEN_REMOTE: the address of the git remote that garden.yaml names as `repo.remote`.
set -eu
if [ ! -e garden.yaml ]; then
  git clone "${GARDEN_REMOTE:?set it to the address of the git remote}" .
fi
exec bloom "$@"
