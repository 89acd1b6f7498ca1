import { eventually } from '@sheaf/testing';
import { at as atForm, formWith, shortText } from './answers/form';
import { ada } from './answers/people';
import { inbox, submission } from './answers/submissions';
import { fits } from './support/fits';
import { onScreen, onScreens } from './support/on-screens';

const open = onScreens();

// The other rooms are in night/looks.test.ts.
onScreen.each([
  ['fr', 'fr-FR', 'build', formWith([shortText('name', 'Name')]), 'Ajouter un champ'],
  ['es', 'es-MX', 'submissions', inbox([submission(1, { name: 'Ada' })]), 'Buscar en las respuestas'],
] as const)('in the language of the browser, %s, the narrow screen fits', async (language, locale, room, answers, word) => {
  const screen = await open(atForm(room), answers, { width: 320, locale });
  await screen.page.getByText(word).or(screen.page.getByLabel(word)).first().waitFor();
  await fits(screen, language);
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
