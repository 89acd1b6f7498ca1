import list from './apps.json';

/** The processes of a system. apps.json is the only list of them: each has a folder with its name in apps/. */
export type App = keyof typeof list;
export const apps = Object.keys(list) as readonly App[];

/** An app that serves gRPC. Each has its own database. */
export type ServiceName = { [A in App]: (typeof list)[A] extends { grpcPort: number } ? A : never }[App];
export const isService = (app: App): app is ServiceName => 'grpcPort' in list[app];
export const services: readonly ServiceName[] = apps.filter(isService);

/** The port that an app opens in a cluster: for gRPC, or for HTTP. */
export const servingPort = (app: App): number => {
  const ports = list[app];
  return 'grpcPort' in ports ? ports.grpcPort : ports.httpPort;
};

/** Whether an app connects to NATS, and so has a user there. */
export const usesNats = (app: App): boolean => !('nats' in list[app]);

/** The port for a debugger under `npm run dev -- --inspect`, fixed so that editors need only one configuration. */
export const debugPort = (app: App): number => list[app].debugPort;
