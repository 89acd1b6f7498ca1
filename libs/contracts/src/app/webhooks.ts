import { z } from 'zod';
import { hookEvents } from '../events';
import { instant, listOf, oneOf, text, bool } from '../shapes';
import { HookSubscription } from '../v1/hooks';
import { Actor } from './actor';

/** The `source` of webhooks created in the application. Any other value names the platform that subscribed. */
export const applicationSource = 'application';

const shownUrl = z.string().meta({
  description:
    'Viewers see only the origin (`https://hooks.example.org`), except for their own subscriptions, because a URL may contain a secret.',
});

export const Webhook = HookSubscription.extend({ url: shownUrl, created_at: instant(), created_by: Actor });

export const WebhookList = listOf(Webhook);

const event = () => oneOf(hookEvents);
const targetUrl = () => text(1, 2_048);

export const WebhookRequest = z.object({ event: event(), target_url: targetUrl() });
export const WebhookUpdateRequest = z.object({ active: bool().optional(), event: event().optional(), target_url: targetUrl().optional() });
