// The names in libs/kernel/src/apps.json, for scripts that run before anything is built.
import { readFileSync } from 'node:fs';

const list = JSON.parse(readFileSync(new URL('../../libs/kernel/src/apps.json', import.meta.url), 'utf8'));

export const apps = Object.keys(list);

/** The apps that connect to NATS. */
export const natsUsers = apps.filter((app) => list[app].nats !== false);

/** The apps with a database. */
export const services = apps.filter((app) => 'grpcPort' in list[app]);
