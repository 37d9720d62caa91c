#!/bin/sh
# 每台数据库机器上都装；只有当时的主库去做。用法：backup.sh full|incr
set -eu
[ "$(psql -h /var/run/postgresql -Atc 'select pg_is_in_recovery()' postgres)" = f ] || exit 0
exec pgbackrest --stanza=gongdan --type="$1" backup
