// Runs in a worker, so that the page stays responsive.
import { findNonce } from './sha-256';

addEventListener('message', ({ data }: MessageEvent<[challenge: string, bits: number]>) => postMessage(findNonce(...data)));
