// The looks of every screen that share their parts with one that `screens/` tries in the same look.
import { account, at as atAccount } from '../screens/answers/account';
import { at as atForm, formWith, shortText } from '../screens/answers/form';
import { formsPage, listed } from '../screens/answers/forms';
import { insightsWith } from '../screens/answers/insights';
import { at as atSettings, settings } from '../screens/answers/settings';
import { inbox, submission } from '../screens/answers/submissions';
import { delivery, webhook, webhooksWith } from '../screens/answers/webhooks';
import { fits } from '../screens/support/fits';
import { onScreen, onScreens } from '../screens/support/on-screens';
import type { Answers } from '../screens/support/recorded-server';

const open = onScreens();

/** Screens of every room, and what each answers. */
const screens: readonly (readonly [name: string, path: string, answers: Answers])[] = [
  ['forms', '/console/forms', formsPage([listed(1, 'Site visit'), listed(2, 'Tickets')])],
  ['build', atForm('build'), formWith([shortText('name', 'Name')])],
  ['submissions', atForm('submissions'), inbox([submission(1, { name: 'Ada' })])],
  ['insights', atForm('insights'), insightsWith()],
  ['webhooks', atForm('webhooks'), webhooksWith([webhook()], [delivery()])],
  ['settings', atSettings('members'), settings],
  ['account', atAccount('appearance'), account],
];

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

describe.each<readonly [name: string, at: (section: string) => string, answers: Answers, sections: readonly (readonly [string, string])[]]>(
  [
    [
      'account',
      atAccount,
      account,
      [
        ['profile', 'Erase my account'],
        ['password', 'Change password'],
        ['sessions', 'This device'],
        ['api-keys', 'No keys yet'],
        ['appearance', 'Deutsch'],
      ],
    ],
    [
      'settings',
      atSettings,
      settings,
      [
        ['general', 'Save changes'],
        ['members', 'Grace Hopper'],
        ['invitations', 'new@example.org'],
        ['webhooks', 'Send submissions to other applications'],
        ['instance-members', 'Grace Hopper'],
        ['service-accounts', 'New service account'],
        ['webhook-keys', 'Signs now'],
        ['instance-webhooks', 'How to verify'],
        ['erasures', 'Each part of Sheaf'],
        ['retention', 'Save retention'],
      ],
    ],
  ],
)('of the %s', (_name, at, answers, sections) => {
  onScreen.each(sections)('the section %s can be read in the dark on a narrow screen', async (section, content) => {
    const screen = await open(at(section), answers, { dark: true, width: 320 });
    await screen.page.getByText(content).first().waitFor();
    expect(await screen.accessibilityFaults()).toEqual([]);
    expect(await screen.page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320);
  });
});
