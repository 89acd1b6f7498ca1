import { eventually } from '@sheaf/testing';
import { at as atForm, formWith, shortText } from './answers/form';
import { formsPage, listed } from './answers/forms';
import { insightsWith } from './answers/insights';
import { ada } from './answers/people';
import { at as atSettings, settings } from './answers/settings';
import { inbox, submission } from './answers/submissions';
import { delivery, webhook, webhooksWith } from './answers/webhooks';
import { onScreen, onScreens, type Screen } from './support/on-screens';
import type { Answers } from './support/recorded-server';

const open = onScreens();

/** Screens of every room, and what each answers. */
const screens: readonly (readonly [name: string, path: string, answers: Answers])[] = [
  ['forms', '/console/forms', formsPage([listed(1, 'Site visit'), listed(2, 'Tickets')])],
  ['build', atForm('build'), formWith([shortText('name', 'Name')])],
  ['submissions', atForm('submissions'), inbox([submission(1, { name: 'Ada' })])],
  ['insights', atForm('insights'), insightsWith()],
  ['webhooks', atForm('webhooks'), webhooksWith([webhook()], [delivery()])],
  ['settings', atSettings('members'), settings],
  ['account', '/console/account/appearance', { 'GET /app/v1/me': { ...ada, avatar_url: '', has_password: true } }],
];

/** Controls and texts that are wider than their place. */
const overflowing = `[...document.querySelectorAll('button, a, label, h1, h2, h3, p, [role=tab]')]
  .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline')
  .filter((each) => !['hidden', 'clip'].includes(getComputedStyle(each).overflowX))
  .map((each) => each.tagName + ': ' + each.textContent)`;

async function fits(screen: Screen, language: string): Promise<void> {
  await eventually(async () =>
    expect(await screen.page.evaluate('[document.documentElement.lang, document.documentElement.scrollWidth]')).toEqual([language, 320]),
  );
  expect(await screen.page.evaluate(overflowing)).toEqual([]);
  expect(await screen.accessibilityFaults()).toEqual([]);
}

describe.each([
  {
    language: 'fr',
    locale: 'fr-FR',
    said: [
      'Nouveau formulaire',
      'Ajouter un champ',
      'Rechercher dans les réponses',
      'Statistiques',
      'Nouveau webhook',
      'Membres',
      'Apparence',
    ],
  },
  {
    language: 'es',
    locale: 'es-MX',
    said: ['Nuevo formulario', 'Añadir campo', 'Buscar en las respuestas', 'Estadísticas', 'Nuevo webhook', 'Miembros', 'Apariencia'],
  },
])('in the language of the browser, $language', ({ language, locale, said }) => {
  onScreen.each(screens.map((screen, number) => [...screen, said[number] ?? ''] as const))(
    'the narrow screen fits: %s',
    async (name, path, answers, word) => {
      const screen = await open(path, answers, { width: 320, locale });
      await screen.page.getByText(word).or(screen.page.getByLabel(word)).first().waitFor();
      await screen.screenshot(`${language} ${name}`);
      await fits(screen, language);
    },
  );
});

onScreen('French and Spanish are chosen in the account, and every word on the screen changes at once', async () => {
  const put = 'PUT /app/v1/me/preferences/console.appearance';
  const { page, server } = await open('/console/account/appearance', {
    'GET /app/v1/me': { ...ada, avatar_url: '', has_password: true },
    [put]: ({ body }: { body: { value: unknown } }) => ({ key: 'console.appearance', value: body.value }),
  });
  for (const [name, language, heading, navigation] of [
    ['Français', 'fr', 'Apparence', 'Formulaires'],
    ['Español', 'es', 'Apariencia', 'Formularios'],
    ['English', 'en', 'Appearance', 'Forms'],
  ] as const) {
    await page.getByRole('radio', { name }).check({ force: true });
    await page.getByRole('heading', { name: heading }).waitFor();
    await page.getByRole('link', { name: navigation }).waitFor();
    await eventually(() => expect(server.sent(put).at(-1)).toMatchObject({ value: { language } }));
  }
});
