#!/bin/sh
# 不用容器时，以服务的账号与环境执行一条命令，例如：gongdan backup /backup/2026-11-21
exec systemd-run --quiet --pipe --wait --collect --uid=gongdan \
  -p WorkingDirectory=/opt/gongdan -p EnvironmentFile=/etc/gongdan.env \
  -E NODE_ENV=production -E DATA_DIR=/var/lib/gongdan \
  /usr/bin/node scripts/run.mjs "$@"
