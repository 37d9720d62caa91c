#!/bin/sh
# 首次建库时由 postgres 镜像执行一次：程序用的账号只拥有自己的库，不是超级用户。
set -eu
psql -v ON_ERROR_STOP=1 -v password="$GONGDAN_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role gongdan login password :'password';
create database gongdan owner gongdan;
revoke connect on database gongdan from public;
SQL
