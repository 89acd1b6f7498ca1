// Before the service tests of a project: a PostgreSQL of their own, and a NATS for each of jest's workers, on free ports, with their data in
// a temporary folder. Relays and consumers share names, as the copies of a service do: those of two files at once would take each other's
// events and confirmations.
const { mkdtemp, rm } = require('node:fs/promises');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { findNatsServer, freePorts, startNats, startPostgres } = require('../../libs/embedded/src/index.ts');

module.exports = async ({ maxWorkers }) => {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-service-test-'));
  const [postgresPort, ...natsPorts] = await freePorts(1 + maxWorkers);
  const lines = [];
  const onLine = (line) => lines.push(line);
  const binary = await findNatsServer({ onProgress: onLine });
  const [postgres, ...brokers] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'postgres'), port: postgresPort, durable: false, onLine }),
    ...natsPorts.map((port) => startNats({ storeDir: join(folder, `nats-${port}`), port, user: 'test', password: 'test', binary, onLine })),
  ]);
  process.env.TEST_DATABASE_URL = postgres.url;
  // For tests that need a server with settings of its own.
  process.env.TEST_NATS_SERVER = binary;
  process.env.TEST_NATS_URLS = brokers.map(({ url }) => url).join(' ');

  globalThis.__stopServers = async () => {
    await Promise.all([postgres, ...brokers].map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  };
};
