export { findChromium, type Chromium } from './find-chromium';
export { cacheDir, findNatsServer, isPinnedNatsServer, type FindNatsOptions } from './find-nats-server';
export { startNats, type Nats, type NatsOptions } from './nats';
export { freePorts, isFree } from './ports';
export { clusterRules, startPostgres, type Postgres, type PostgresOptions } from './postgres';
export { stopInSteps, type Exit, type ServerProcess } from './server-process';
