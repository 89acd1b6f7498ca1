import { auditActions } from '@sheaf/contracts';
import { actionsOf, areas, areasIn, parseActions } from './areas';

describe('The areas of the audit log', () => {
  it('have each action in exactly one of them', () => {
    expect(areas.flatMap(actionsOf).sort()).toEqual([...auditActions].sort());
  });

  it.each(areas)('can be chosen by an address: %s', (area) => {
    const chosen = parseActions(actionsOf(area).join(','));
    expect(areasIn(chosen)).toEqual([area]);
  });

  it('leave out what is no action', () => {
    expect(parseActions('form.published,form.painted,')).toEqual(['form.published']);
  });
});
