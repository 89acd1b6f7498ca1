#!/usr/bin/env bash
# Gives each service a database, the role that owns it (and migrates it), and the role that the service runs as, which reads and writes
# rows and cannot alter tables. Idempotent: it corrects differences and touches no data. Needs psql 14 or newer.
#
# Environment: PGHOST, PGUSER, PGPASSWORD of a role that may create roles and databases, and <SERVICE>_PASSWORD and
# <SERVICE>_OWNER_PASSWORD for each service.
set -euo pipefail

until pg_isready --quiet; do
  echo "waiting for PostgreSQL at ${PGHOST:-localhost}"
  sleep 2
done

for service in workspaces forms submissions hooks delivery; do
  # Not as arguments, which every user on the machine can read.
  run_variable="${service^^}_PASSWORD" owner_variable="${service^^}_OWNER_PASSWORD"
  export RUN_PASSWORD="${!run_variable:?}" OWNER_PASSWORD="${!owner_variable:?}"

  psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set run="sheaf_$service" --set owner="sheaf_${service}_owner" --dbname postgres <<'SQL'
\getenv run_password RUN_PASSWORD
\getenv owner_password OWNER_PASSWORD
select format('create role %I', name) from unnest(array[:'owner', :'run']) name where not exists (select from pg_roles where rolname = name) \gexec
alter role :"owner" login password :'owner_password';
alter role :"run" login password :'run_password';
-- Session settings of the service, stored on the role because a pooler rejects them from connections.
alter role :"run" set statement_timeout = '8000';
alter role :"run" set idle_in_transaction_session_timeout = '16000';
alter role :"run" set enable_seqscan = 'off';
alter role :"run" set client_connection_check_interval = '100';
select format('alter role %I set plan_cache_mode = force_generic_plan', :'run') where :'run' = 'sheaf_submissions' \gexec
-- Unless the administrator is a superuser, only a member of a role may make it the owner of a database.
select format('grant %I to current_user', :'owner') where not (select rolsuper from pg_roles where rolname = current_user) \gexec
select format('create database %I owner %I', :'run', :'owner') where not exists (select from pg_database where datname = :'run') \gexec
SQL

  # Run as the owner, because default privileges apply to the tables of the current role.
  PGUSER="sheaf_${service}_owner" PGPASSWORD="$OWNER_PASSWORD" \
    psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set run="sheaf_$service" --dbname "sheaf_$service" <<'SQL'
revoke all on database :"run" from public;
grant connect on database :"run" to :"run";
revoke all on schema public from public;
grant usage on schema public to :"run";
alter default privileges in schema public grant select, insert, update, delete on tables to :"run";
alter default privileges in schema public grant usage, select on sequences to :"run";
grant select, insert, update, delete on all tables in schema public to :"run";
grant usage, select on all sequences in schema public to :"run";
SQL
  echo "sheaf_$service is ready"
done
