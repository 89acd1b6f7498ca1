import { neighbours } from '@sheaf/rpc';
import { apps, services } from '@sheaf/kernel';
import { configOf } from './settings';

it.each(apps)('%s has the address of each service that it calls, and of no other', async (app) => {
  const settings = Object.keys((await configOf(app)).shape);
  const withAddress = services.filter((service) => settings.includes(`${service.toUpperCase()}_ADDR`));
  expect(new Set(withAddress)).toEqual(new Set(neighbours[app]));
});
