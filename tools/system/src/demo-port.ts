import { freePorts } from '@sheaf/embedded';
import { z } from 'zod';
import { readJson, writeJson } from '@sheaf/data-dir';

const State = z.object({ demo_port: z.number() });

/** The port where the demo listens: always the same, because subscriptions from an earlier demo still point to it. */
export async function demoPort(file: string): Promise<number> {
  const state = await readJson(file, State);
  if (state) return state.demo_port;
  const [port = 0] = await freePorts(1);
  await writeJson(file, { demo_port: port });
  return port;
}
