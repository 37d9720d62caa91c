#!/bin/sh
# 只在一台机器上执行一次：sh deploy/cluster/secrets.sh > /root/cluster.env，再把这个文件抄到其余机器的同一处（权限 0600）。
set -eu
random() { openssl rand -hex 24; }
cat <<END
SUPERUSER_PASSWORD=$(random)
REPLICATION_PASSWORD=$(random)
REWIND_PASSWORD=$(random)
PATRONI_PASSWORD=$(random)
GONGDAN_PASSWORD=$(random)
SESSION_SECRET=$(random)
BACKUP_PASSWORD=$(random)
WATCHDOG=required
ADMIN_PASSWORD=Gd@$(openssl rand -hex 8)
PUBLIC_URL=https://oa.example.cn
S3_ENDPOINT=https://bucket:9000
S3_ACCESS_KEY=改为对象存储的账号
S3_SECRET_KEY=改为对象存储的密钥
END
