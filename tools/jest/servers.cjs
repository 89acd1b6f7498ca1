// Set-up of a project's service tests: one PostgreSQL for the project and one NATS per jest worker, on free ports, with data in a
// temporary folder. NATS is separate because relays and consumers share names, as the replicas of a service do: two test files on one
// server would consume each other's events and confirmations.
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
  // For tests that need a server with their own settings.
  process.env.TEST_NATS_SERVER = binary;
  process.env.TEST_NATS_URLS = brokers.map(({ url }) => url).join(' ');

  globalThis.__stopServers = async () => {
    await Promise.all([postgres, ...brokers].map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  };
};
