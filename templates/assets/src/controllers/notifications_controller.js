import { Controller } from '@hotwired/stimulus';
import { isStandalone, meta, mountPrefix } from '../lib/page.js';
import * as push from '../lib/push.js';

const TWENTY_YEARS = 20 * 365 * 24 * 60 * 60;

let readyBefore = false;        // within this session of the page

// The bell of a room until notifications are ready on this device.
export default class extends Controller {
  static targets = ['alertIcon', 'bell', 'details', 'loadingIcon', 'notAllowedNotice'];

  static classes = ['attention'];

  static values = { subscriptionsUrl: String };

  async connect() {
    if (document.documentElement.hasAttribute('data-turbo-preview')) {
      return;
    }

    if (readyBefore || await push.isReady()) {
      this.#ready();
    } else if (this.element.isConnected) {
      this.#showAlert();
    }
  }

  async attemptToSubscribe() {
    this.#endFirstRun();

    if (!push.isSupported() || Notification.permission === 'denied') {
      this.#explain();
      return;
    }

    const permission = Notification.permission === 'default'
                     ? await Notification.requestPermission() : Notification.permission;
    if (permission !== 'granted') {
      this.#explain();
    } else if (await this.#subscribe()) {
      this.#ready();
    }
  }

  async #subscribe() {
    this.#showLoading();
    try {
      return await push.subscribe({
        worker: `${mountPrefix()}/service-worker.js`,
        key: meta('vapid-public-key'),
        url: this.subscriptionsUrlValue,
      });
    } catch {
      return false;
    } finally {
      if (this.element.isConnected) {
        this.#showAlert();
      }
    }
  }

  #ready() {
    readyBefore = true;
    if (this.element.isConnected) {
      this.dispatch('ready');
    }
  }

  #showLoading() {
    this.#toggleIcons(true);
  }

  #showAlert() {
    this.#toggleIcons(false);
    if (this.hasBellTarget && !this.#firstRunSeen) {
      this.bellTarget.classList.add(this.attentionClass);
    }
  }

  #toggleIcons(loading) {
    if (this.hasLoadingIconTarget && this.hasAlertIconTarget) {
      this.loadingIconTarget.hidden = !loading;
      this.alertIconTarget.hidden = loading;
    }
  }

  #explain() {
    const visible = this.detailsTargets.filter((details) => details.checkVisibility?.() ?? true);

    this.notAllowedNoticeTarget.showModal();
    const shown = this.detailsTargets.filter((details) => details.offsetParent !== null);
    (shown.length > 0 ? shown : visible).forEach((details, index, all) => {
      details.open = all.length === 1;
    });
  }

  get #firstRunCookie() {
    return `notifications-${isStandalone() ? 'pwa-' : ''}first-run-seen`;
  }

  get #firstRunSeen() {
    return document.cookie.split('; ').some((cookie) =>
      cookie.startsWith(`${this.#firstRunCookie}=`));
  }

  #endFirstRun() {
    document.cookie = `${this.#firstRunCookie}=true; path=/; max-age=${TWENTY_YEARS}; samesite=lax`;
    if (this.hasBellTarget) {
      this.bellTarget.classList.remove(this.attentionClass);
    }
  }
}
