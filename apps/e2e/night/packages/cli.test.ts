import { join } from 'node:path';
import { emptyProjectWith, nodeExecutable, supportedNodes, type EmptyProject } from '@sheaf/testing';
import { Desk } from '../../support/command-line';
import * as given from '../../support/given';
import { anyone, credentials } from '../../support/people';

// The program as its users get it. apps/e2e/test/app/command-line.test.ts has what its commands do.

let project: EmptyProject;
beforeAll(async () => {
  project = await emptyProjectWith('cli');
});
afterAll(() => project.remove());

it.each(supportedNodes)('the packed program works under Node %i', async (major) => {
  const form = await given.publishedForm({ title: 'Visit' });
  await given.submission(form, { name: 'Zoë ☃' });
  const desk = await Desk.begin([await nodeExecutable(major), join(project.folder, 'node_modules/@sheaf/cli/main.cjs')]);
  try {
    expect(await desk.run(['login', '--url', anyone.origin], { stdin: credentials.api_key })).toMatchObject({ code: 0 });
    await desk.done('forms', 'pull', form);
    await desk.change('visit.form.json', '"Your name"', '"Full name"');
    expect(JSON.parse(await desk.done('forms', 'push', 'visit.form.json', '--publish', '--yes', '--json'))).toMatchObject({ version: 2 });
    expect(await desk.done('submissions', 'export', form, '--format', 'csv')).toContain('Zoë ☃');
    expect(await desk.run(['forms', 'push', 'nope.json'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nope.json') as string,
    });
  } finally {
    await desk.close();
  }
});
