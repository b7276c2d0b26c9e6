# Sourced: a throwaway PostgreSQL on a Unix socket, its address in TEST_POSTGRES_URL.

start_postgres() {
    local bin
    bin=$(dirname "$(command -v initdb || ls -d /usr/lib/postgresql/*/bin/initdb | tail -1)")
    PG_DIR=$(mktemp -d)
    PG_AS=()
    if [ "$(id -u)" = 0 ]; then
        chown postgres "$PG_DIR"
        PG_AS=(runuser -u postgres --)
    fi
    PG_CTL="$bin/pg_ctl"
    "${PG_AS[@]}" "$bin/initdb" -D "$PG_DIR/data" -U podium -A trust -N >/dev/null
    "${PG_AS[@]}" "$PG_CTL" -D "$PG_DIR/data" -s -w -l "$PG_DIR/log" \
        -o "-p 5544 -k $PG_DIR -c listen_addresses='' -c fsync=${POSTGRES_FSYNC:-off}" start
    chmod 755 "$PG_DIR"
    export TEST_POSTGRES_URL="postgresql://podium@:5544/postgres?host=$PG_DIR"
}

stop_postgres() {
    (cd / && "${PG_AS[@]}" "$PG_CTL" -D "$PG_DIR/data" -s -m immediate stop) || true
    rm -rf "$PG_DIR"
}
