import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const Credentials = z.object({ base_url: z.string(), api_key: z.string(), user: z.object({ email: z.string(), password: z.string() }) });
const State = z.object({ demo_subscriber: z.string() });

/** The details that the demo needs of the system that `npm start` runs. */
export interface RunningSystem {
  /** e.g. `http://localhost:8080` */
  origin: string;
  apiKey: string;
  email: string;
  password: string;
  /** Port of the only private address to which this system sends webhooks. */
  subscriberPort: number;
}

/** @throws Error with instructions if no system runs on this data folder. */
export async function findRunningSystem(dataDir: string): Promise<RunningSystem> {
  const read = async <T extends z.ZodType>(file: string, shape: T): Promise<z.output<T>> => {
    try {
      return shape.parse(JSON.parse(await readFile(join(dataDir, file), 'utf8')));
    } catch (error) {
      throw new Error(
        `No system seems to be running on ${dataDir} (${file} is missing or unreadable). Start one with \`npm start\`, then try again.`,
        { cause: error },
      );
    }
  };
  const [credentials, state] = [await read('credentials.json', Credentials), await read('run/system.json', State)];
  return {
    origin: new URL(credentials.base_url).origin,
    apiKey: credentials.api_key,
    email: credentials.user.email,
    password: credentials.user.password,
    subscriberPort: Number(new URL(state.demo_subscriber).port),
  };
}
