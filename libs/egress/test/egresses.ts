import { createEgress, type Egress } from '../src/egress';
import type { Resolve } from '../src/resolve';

/** Finds these addresses for every name. */
export const answering =
  (...addresses: string[]): Resolve =>
  () =>
    Promise.resolve(addresses);
/** Allows public https targets only, as in production. */
export const strict = (resolve: Resolve = answering('1.1.1.1')): Egress =>
  createEgress({ allowPrivateTargets: false, privateOrigins: [], resolve });
/** Allows every target, as in development. */
export const open = createEgress({ allowPrivateTargets: true, privateOrigins: [] });
