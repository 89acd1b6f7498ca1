export interface Proof {
  isDone: () => boolean;
  done: Promise<unknown>;
  /** A frame in a sandbox may run no worker. */
  isImpossible: boolean;
}

/** Has a worker do the work that the form asks for, while somebody fills it in. Should that fail, the form is sent without a proof. */
export function prove(form: HTMLFormElement): Proof | undefined {
  const { proofBits, proofChallenge, proofSrc } = form.dataset;
  if (!proofSrc) return undefined;
  let worker: Worker;
  try {
    worker = new Worker(proofSrc);
  } catch {
    return { isDone: () => true, done: Promise.resolve(), isImpossible: true };
  }
  let isDone = false;
  const done = new Promise<void>((resolve) => {
    const end = () => {
      isDone = true;
      resolve();
    };
    worker.addEventListener('error', end);
    worker.addEventListener('message', ({ data }) => {
      (form.elements.namedItem('proof') as HTMLInputElement).value = String(data);
      end();
    });
    worker.postMessage([proofChallenge, Number(proofBits)]);
  });
  return { isDone: () => isDone, done, isImpossible: false };
}
