import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, heading, idWith, press, reference } from '../../support/hosted-form';
import { asOwner } from '../../support/people';
import { PlainPage } from '../../support/plain-browser';
import { proofFor } from '../../support/proof-of-work';

const spamOf = async (form: string) =>
  ((await asOwner.get(`/app/v1/forms/${form}/submissions/spam`)).body as { data: { id: string; spam_reason: string }[] }).data;

it('a robot that fills in every control is spam, but sees the same receipt', async () => {
  const form = await given.publishedForm();
  const page = await PlainPage.open(`/f/${form}`);
  page.enter('a.name', ['Bot']);
  page.enter('hp', ['http://buy.example']);
  const receipt = await page.send('send');
  expect([receipt.status, receipt.heading]).toEqual([200, 'Thank you']);
  expect(await given.submissionsOf(form)).toEqual([]);
  expect(await spamOf(form)).toMatchObject([{ spam_reason: 'honeypot' }]);
});

itInBrowser('people neither see the trap nor reach it with the keyboard, and browsers do not fill it in', async () => {
  const form = await given.publishedForm();
  const { page } = await asRespondent({ javaScript: false });
  await page.goto(`/f/${form}`);
  const trap = page.locator('[name=hp]');
  expect(await trap.getAttribute('tabindex')).toBe('-1');
  expect(await trap.getAttribute('autocomplete')).toMatch(/off|new-/);
  // Its surroundings cut it off.
  expect(await page.locator('.trap').boundingBox()).toMatchObject({ width: 1, height: 1 });
  // It has a label, for those whose browser shows no style sheet.
  expect(await page.locator(`label[for="${(await trap.getAttribute('id')) ?? ''}"], label:has([name=hp])`).count()).toBe(1);
});

describe('a form that asks for proof of work', () => {
  const settings = { proof_of_work: true };

  itInBrowser('takes what a browser with scripts sends', async () => {
    const form = await given.publishedForm({ settings });
    const { page } = await asRespondent();
    await page.goto(`/f/${form}`);
    await answer(page, { name: 'Ada' });
    await press(page, 'Send');
    expect(await heading(page)).toBe('Thank you');
    expect(await given.submissionsOf(form)).toMatchObject([{ id: idWith(await reference(page)) }]);
  });

  itInBrowser(
    'keeps what is sent without scripts as spam, so that the team can release it, and says beforehand that scripts are needed',
    async () => {
      const form = await given.publishedForm({ settings });
      const { page } = await asRespondent({ javaScript: false });
      await page.goto(`/f/${form}`);
      expect(await page.locator('body').innerText()).toContain(
        'Without JavaScript, your answers count only after somebody has reviewed them.',
      );
      await answer(page, { name: 'Ada' });
      await press(page, 'Send');
      expect(await heading(page)).toBe('Thank you');
      expect(await given.submissionsOf(form)).toEqual([]);
      expect(await spamOf(form)).toMatchObject([{ id: idWith(await reference(page)), spam_reason: 'no_proof' }]);
    },
  );

  it('does not take a proof that was made for another page', async () => {
    const form = await given.publishedForm({ settings });
    const [first, second] = [await PlainPage.open(`/f/${form}`), await PlainPage.open(`/f/${form}`)];
    const challengeOf = ({ html }: PlainPage) => /data-proof-challenge="([^"]+)"/.exec(html)?.[1] ?? '';
    const proof = proofFor(challengeOf(first), challengeOf(second), Number(/data-proof-bits="(\d+)"/.exec(first.html)?.[1]));
    second.enter('a.name', ['Bot']);
    second.enter('proof', [proof]);
    await second.send('send');
    expect(await spamOf(form)).toMatchObject([{ spam_reason: 'no_proof' }]);
    first.enter('a.name', ['Ada']);
    first.enter('proof', [proof]);
    await first.send('send');
    expect(await given.submissionsOf(form)).toMatchObject([{ data: { name: 'Ada' } }]);
  });
});
