import type { Clock } from '@sheaf/kernel';
import { LRUCache } from 'lru-cache';

const minuteMs = 60_000;

/**
 * How many attempts this process may still begin for each instance. A budget refills evenly and holds at most a minute's worth. Attempts
 * that begin together may overdraw it by as many as there are slots; the overdraft is paid back before the next one begins.
 */
export class Budgets {
  private readonly left = new LRUCache<string, { attempts: number; at: number }>({ max: 10_000 });
  /** The instances that were overdrawn when last checked. */
  private readonly overdrawn = new Set<string>();

  constructor(private readonly parts: { clock: Clock; perMinute: number }) {}

  spend(instanceId: string): void {
    const { perMinute } = this.parts;
    if (perMinute === 0) return;
    const attempts = this.remainingOf(instanceId) - 1;
    this.left.set(instanceId, { attempts, at: this.now() });
    if (attempts < 1) this.overdrawn.add(instanceId);
  }

  isSpent(instanceId: string): boolean {
    if (!this.overdrawn.has(instanceId)) return false;
    if (this.remainingOf(instanceId) < 1) return true;
    this.overdrawn.delete(instanceId);
    return false;
  }

  /** The instances that may begin no attempt now. */
  spent(): string[] {
    return [...this.overdrawn].filter((id) => this.isSpent(id));
  }

  private remainingOf(instanceId: string): number {
    const { perMinute } = this.parts;
    const known = this.left.get(instanceId);
    if (!known) return perMinute;
    return Math.min(perMinute, known.attempts + (Math.max(0, this.now() - known.at) * perMinute) / minuteMs);
  }

  private now = (): number => this.parts.clock.now().getTime();
}
