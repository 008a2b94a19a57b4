#!/usr/bin/env bash
# The baseline of `tools/bench ingest`: as many clients insert equally large batches into PostgreSQL with PostGIS,
# durably.
#
# usage: postgis.sh CLIENTS BATCH SECONDS PEOPLE
#
# Prints the inserted rows per second. A batch is one INSERT with its values as text, over a local socket; positions are
# not judged, and the table has one index, which is not spatial. Exits with 69 if PostgreSQL, PostGIS or pgbench is
# missing.
set -euo pipefail

# The calling program may have blocked all signals, but pgbench relies on one to end.
if [ -z "${UNBLOCKED-}" ]; then
    UNBLOCKED=1 exec perl -MPOSIX -e 'sigprocmask(SIG_SETMASK, POSIX::SigSet->new); exec @ARGV' bash "$0" "$@"
fi
clients=$1 batch=$2 seconds=$3 people=$4

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1 || true)
if [ ! -x "$bin/initdb" ] || [ ! -x "$bin/pgbench" ]; then exit 69; fi
ls /usr/share/postgresql/*/extension/postgis.control >/dev/null 2>&1 || exit 69

# The server refuses to run as root.
as() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
folder=$(as mktemp -d)
stop() {
    as "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
    rm -rf "$folder"
}
trap stop EXIT
cd /
as "$bin/initdb" -D "$folder/data" --auth=trust --no-sync >/dev/null
as "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/log" start -o \
    "-c listen_addresses='' -k $folder -c synchronous_commit=on -c fsync=on -c shared_buffers=1GB -c max_wal_size=8GB
    -c max_connections=300" >/dev/null 2>&1
query() { as "$bin/psql" -q -h "$folder" -v ON_ERROR_STOP=1 -d postgres "$@"; }
query <<'SQL'
CREATE EXTENSION postgis;
CREATE TABLE pings (
    person integer NOT NULL, t timestamptz NOT NULL, received timestamptz NOT NULL, device text NOT NULL, accuracy real,
    place geometry(Point, 4326) NOT NULL, PRIMARY KEY (person, t)
);
SQL
{
    echo "\\set first random(0, $people - 1)"
    echo "INSERT INTO pings VALUES"
    for ((i = 0; i < batch; i++)); do
        [ $i = 0 ] || echo ","
        echo -n "((:first + $i) % $people, clock_timestamp(), '2026-01-01T00:00:00Z', 'bench', 12,"
        echo -n " ST_SetSRID(ST_MakePoint(-122.3321$((1000 + i)), 47.6062$((1000 + i))), 4326))"
    done
    echo " ON CONFLICT DO NOTHING;"
} >"$folder/insert.sql"
chmod 644 "$folder/insert.sql"
as "$bin/pgbench" -n -h "$folder" -c "$clients" -j 2 -T "$seconds" -f "$folder/insert.sql" postgres \
    >/dev/null 2>"$folder/errors" || { cat "$folder/errors" >&2; exit 1; }
echo $(($(query -At -c 'SELECT count(*) FROM pings') / seconds))
