import { Controller } from '@hotwired/stimulus';
import { currentSubscription } from '../lib/push.js';

// Signing out ends this device's notifications, too.
export default class extends Controller {
  static targets = ['pushSubscriptionEndpoint'];

  #done = false;

  async logout(event) {
    if (this.#done) {
      return;
    }

    event.preventDefault();
    this.#done = true;

    const subscription = await currentSubscription();
    if (subscription) {
      this.pushSubscriptionEndpointTarget.value = subscription.endpoint;
      await subscription.unsubscribe().catch(() => {});
    }
    this.element.requestSubmit();
  }
}
