// Before the service tests of a project: a PostgreSQL and a NATS of their own, on free ports, with their data in a temporary folder.
const { mkdtemp, rm } = require('node:fs/promises');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { freePorts, startNats, startPostgres } = require('../../libs/embedded/src/index.ts');

module.exports = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-service-test-'));
  const [postgresPort, natsPort] = await freePorts(2);
  const lines = [];
  const onLine = (line) => lines.push(line);
  const [postgres, nats] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'postgres'), port: postgresPort, durable: false, onLine }),
    startNats({ storeDir: join(folder, 'nats'), port: natsPort, user: 'test', password: 'test', onLine }),
  ]);
  process.env.TEST_DATABASE_URL = postgres.url;
  process.env.TEST_NATS_URL = nats.url;

  globalThis.__stopServers = async () => {
    await Promise.all([postgres.stop(), nats.stop()]);
    await rm(folder, { recursive: true, force: true });
  };
};
