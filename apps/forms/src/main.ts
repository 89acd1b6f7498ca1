import { Broker, startRelay } from '@sheaf/events';
import { systemClock } from '@sheaf/kernel';
import { migrateCommand, openDatabase, problemOf } from '@sheaf/postgres';
import { callerVerifier, Forms, serve } from '@sheaf/rpc';
import { runApp, type Process } from '@sheaf/runtime';
import { Config } from './config';
import { migrations } from './migrations';
import { doors } from './server';

void runApp('forms', { config: Config, serve: start }, { migrate: migrateCommand(migrations) });

async function start(own: Process, config: Config): Promise<void> {
  const clock = systemClock;
  const db = openDatabase(own, config);
  const broker = await Broker.connect(own, config.NATS_URL);
  const outbox = startRelay(own, { db, broker, source: 'forms', clock, settings: config });
  await serve(own, { protocol: Forms, doors: doors({ db, outbox, clock }), verify: callerVerifier(config.CALLER_KEYS), settings: config, problemOf });
}
