import { rowsOf, type Database } from '@sheaf/postgres';
import { Gauge, type Registry } from 'prom-client';

/** Registers how much uploaded files take. Every copy reports the same. */
export function watchFiles(registry: Registry, db: Database): void {
  new Gauge({
    name: 'sheaf_files_bytes',
    help: 'Size of all uploaded files, in the folder or the bucket where they are kept.',
    registers: [registry],
    async collect() {
      const [row] = await rowsOf<{ bytes: number }>(
        db,
        `select coalesce(sum(bytes), 0)::bigint as bytes from file_bytes where scope = 'instance'`,
      );
      this.set(row?.bytes ?? 0);
    },
  });
}
