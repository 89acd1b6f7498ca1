import type { Credentials } from '@sheaf/testing';

/** A system with other settings than the one that most tests use. Tests that share it leave all its processes alone. */
export interface SharedSystem {
  dataDir: string;
  origin: string;
  credentials: Credentials;
  /** Its settings. */
  env: Record<string, string>;
}

/**
 * Returns the system that tools/jest/system.cjs starts when the first test asks for it, and stops after the last: as `hosts`, with the owner of
 * its first instance, which only a `Host` header reaches; as `shop`, with that of an instance whose host is an address of this machine.
 */
export async function sharedSystem(name: 'hosts' | 'shop'): Promise<SharedSystem> {
  const reply = await fetch(`${process.env.E2E_SHARED_SYSTEMS ?? ''}/${name}`);
  if (!reply.ok) throw new Error(`The system did not start: ${await reply.text()}`);
  const system = (await reply.json()) as Omit<SharedSystem, 'origin'>;
  return { ...system, origin: new URL(system.credentials.base_url).origin };
}
