import type { Credentials } from '@sheaf/testing';

/** A system with other settings than the one that most tests use. Tests that share it leave all its processes alone. */
export interface SharedSystem {
  dataDir: string;
  origin: string;
  credentials: Credentials;
  /** Its settings. */
  env: Record<string, string>;
}

/** Returns a system that tools/jest/system.cjs starts when the first test asks for it, and stops after the last. */
export async function sharedSystem(name: 'hosts' | 'payments'): Promise<SharedSystem> {
  const reply = await fetch(`${process.env.E2E_SHARED_SYSTEMS ?? ''}/${name}`);
  if (!reply.ok) throw new Error(`The system did not start: ${await reply.text()}`);
  const system = (await reply.json()) as Omit<SharedSystem, 'origin'>;
  return { ...system, origin: new URL(system.credentials.base_url).origin };
}
