import type { Migration } from '@sheaf/postgres';
import { notePassedOver } from '../database/note-passed-over.sql';

/** Deliveries that a process of an earlier version skipped because it does not know the options of their webhook; they are brought back. */
export const passedOver: Migration = {
  name: '0026_passed_over',
  up: (db) =>
    db.raw(`
      -- Empty but while processes of two versions run. \`revision\`: of the subscription, when the delivery was skipped.
      create table passed_over (
        delivery_id uuid primary key,
        subscription_id uuid not null,
        revision integer not null,
        certain boolean not null
      );

      ${notePassedOver}
      create trigger note_passed_over after insert on delivery
        for each row when (new.state = 'skipped') execute function note_passed_over();
    `),
};
