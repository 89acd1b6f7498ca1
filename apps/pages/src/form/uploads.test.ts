import { Problem } from '@sheaf/kernel';
import { Uploads } from './uploads';
import type { Deps, FormVisit } from './visit';

it('a page brings one picture for a signature: others are refused before they are looked at', async () => {
  const begun: string[] = [];
  const deps = {
    submissions: {
      uploadFile: () => {
        begun.push('upload');
        return Promise.reject(Problem.badRequest('file: is refused'));
      },
    },
  } as unknown as Deps;
  const items = [{ key: 'signed', type: 'signature', label: 'Signed', required: true }];
  const uploads = new Uploads(deps, { form: { id: 'form', items }, asked: {} } as unknown as FormVisit);
  const picture = () => ({ control: 'file.signed', name: 'signature.png', contentType: 'image/png', bytes: someBytes() });
  await Promise.all(Array.from({ length: 3 }, () => uploads.take(picture())));
  expect(begun).toEqual(['upload']);
  expect(uploads.faults.map(({ key, code }) => `${key} ${code}`).toSorted()).toEqual([
    'signed bad_request',
    'signed too_many_files',
    'signed too_many_files',
  ]);
});

async function* someBytes(): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from('png'));
}
