export interface Proof {
  isDone: boolean;
  /** None where it is impossible: a frame in a sandbox may run no worker. */
  done?: Promise<unknown>;
}

/** Has a worker do the work that the form asks for, while somebody fills it in. Should that fail, the form is sent without a proof. */
export function prove(form: HTMLFormElement): Proof | undefined {
  const { proofBits, proofChallenge, proofSrc } = form.dataset;
  if (!proofSrc) return undefined;
  let worker: Worker;
  try {
    worker = new Worker(proofSrc);
  } catch {
    return { isDone: true };
  }
  const proof: Proof = { isDone: false };
  proof.done = new Promise<void>((resolve) => {
    const end = () => {
      proof.isDone = true;
      resolve();
    };
    worker.addEventListener('error', end);
    worker.addEventListener('message', ({ data }) => {
      (form.elements.namedItem('proof') as HTMLInputElement).value = String(data);
      end();
    });
    worker.postMessage([proofChallenge, Number(proofBits)]);
  });
  return proof;
}
