import { ownSettings } from './own-settings';

const env = {
  PATH: '/bin',
  FORMS_MAX_GRANTS: '7',
  LOG_LEVEL: 'info',
  FORMS__LOG_LEVEL: 'debug',
  FORMS__DATABASE_URL: 'postgres://forms',
  HOOKS__DATABASE_URL: 'postgres://hooks',
};
const of = (app: string) => ownSettings(app, ['forms', 'hooks'], env);

it('gives an app its own settings without its name, before the common ones', () => {
  expect(of('forms')).toEqual({ PATH: '/bin', FORMS_MAX_GRANTS: '7', LOG_LEVEL: 'debug', DATABASE_URL: 'postgres://forms' });
});

it('gives an app none of the others’ settings', () => {
  expect(of('hooks')).toEqual({ PATH: '/bin', FORMS_MAX_GRANTS: '7', LOG_LEVEL: 'info', DATABASE_URL: 'postgres://hooks' });
});
