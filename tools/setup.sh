# Sourced by quickstart and check: finds or installs the tools and libraries for the build. Sets BELLMARK_ROOT and
# python; defines say, ensure_packages and build.
set -euo pipefail
BELLMARK_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$BELLMARK_ROOT"
begin=$SECONDS

say() { printf '[%3d s] %s\n' $((SECONDS - begin)) "$*"; }

# What a finished Bellmark calls: Python for figures, a launcher for ranks.
run_packages=(python3 python3-matplotlib python3-jsonschema openmpi-bin)
packages=(g++ cmake ninja-build pkg-config git zlib1g-dev libhwloc-dev libpapi-dev libxxhash-dev
  libboost-graph-dev liblemon-dev libnanoflann-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev
  libvalijson-dev libprotozero-dev libopenmpi-dev libgtest-dev libbenchmark-dev
  "${run_packages[@]}" python3-pytest)
# Other vendors' packages of Node.js include npm, and Debian's npm conflicts with them.
command -v node >/dev/null && command -v npm >/dev/null || packages+=(nodejs npm)

missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      printf '%s\n' "$package"
  done
}

# ensure_packages NAME...: installs missing packages, through sudo when not root.
ensure_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "no apt here: install the equivalents of: $*"
    return
  fi
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  if [ ${#missing[@]} -eq 0 ]; then
    say "all packages are installed"
    return
  fi
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      as_root=(sudo)
    elif command -v sudo >/dev/null && [ -t 0 ]; then
      as_root=(sudo)
    else
      say "these packages are missing and this user may not install them; as root run:"
      echo "  apt-get install ${missing[*]}" >&2
      exit 7
    fi
  fi
  say "installing: ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    say "apt-get failed (log: $log); install by hand: apt-get install ${missing[*]}"
    exit 7
  fi
  rm -f "$log"
}

progress_every_s=20

# follow_build LOG: reports the progress of the build whose ninja writes to LOG, until it is stopped or this script
# ends. The largest files end last, so the remaining time is a lower bound.
follow_build() {
  local log=$1 started=$SECONDS told=$SECONDS status done_count total left
  while kill -0 $$ 2>/dev/null; do
    sleep 1
    [ $((SECONDS - told)) -ge "$progress_every_s" ] || continue
    status=$(grep -aoE '^\[[0-9]+/[0-9]+\]' "$log" 2>/dev/null | tail -n 1) || continue
    [[ $status =~ ([0-9]+)/([0-9]+) ]] || continue
    done_count=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
    [ "$done_count" -gt 0 ] || continue
    told=$SECONDS
    left=$(((told - started) * (total - done_count) / done_count))
    say "  $done_count of $total files, at least $left s left"
  done
}

# build PRESET TARGET...: configures once and builds, and reports the progress.
build() {
  local preset=$1 folder=build/$1 log
  shift
  mkdir -p "$folder"
  log=$folder/configure.log
  if ! cmake --preset "$preset" >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    say "configuring $preset failed (log: $log)"
    exit 2
  fi
  say "building $preset: $* (log: $folder/build.log)"
  local follower code=0
  : >"$folder/build.log"
  follow_build "$folder/build.log" &
  follower=$!
  ninja -C "$folder" "$@" >"$folder/build.log" 2>&1 || code=$?
  kill "$follower" 2>/dev/null || true
  wait "$follower" 2>/dev/null || true
  if [ "$code" -ne 0 ]; then
    grep -E 'error|FAILED' "$folder/build.log" | head -n 20 >&2
    say "building $preset failed (log: $folder/build.log)"
    exit 1
  fi
}

# The Python that has the packages for reports. The first on PATH may lack them.
find_python() {
  for python in "${BELLMARK_PYTHON:-python3}" /usr/bin/python3; do
    if "$python" -c 'import matplotlib, jsonschema' 2>/dev/null; then
      export BELLMARK_PYTHON=$python
      return
    fi
  done
  say "no Python with matplotlib and jsonschema: reports can't be drawn"
}
