/** Has a worker do the work that the form asks for, while somebody fills it in. Should that fail, the form is sent without a proof. */
export function prove(form: HTMLFormElement): { isDone: () => boolean; done: Promise<unknown> } | undefined {
  const { proofBits, proofChallenge, proofSrc } = form.dataset;
  if (!proofSrc) return undefined;
  let isDone = false;
  const done = new Promise<void>((resolve) => {
    const end = () => {
      isDone = true;
      resolve();
    };
    const worker = new Worker(proofSrc);
    worker.addEventListener('error', end);
    worker.addEventListener('message', ({ data }) => {
      (form.elements.namedItem('proof') as HTMLInputElement).value = String(data);
      end();
    });
    worker.postMessage([proofChallenge, Number(proofBits)]);
  });
  return { isDone: () => isDone, done };
}
