import { Controller } from '@hotwired/stimulus';
import { newClientId } from '../lib/client_id.js';
import { drafts } from '../lib/drafts.js';
import { isAllEmoji } from '../lib/emoji.js';
import { FileList } from '../lib/file_list.js';
import { sendsMessage } from '../lib/keys.js';
import { LinkPreviews, PREVIEW_TYPE, previewHtml } from '../lib/link_preview.js';
import { currentUserId, isTouchDevice } from '../lib/page.js';
import { safeHtml } from '../lib/safe_html.js';
import { SerialQueue } from '../lib/serial_queue.js';
import { soundIn } from '../lib/sounds.js';
import { applyStreams } from '../lib/stream_channel.js';
import { escapeHtml } from '../lib/text_template.js';
import { debounce, nextFrameOrTick } from '../lib/timing.js';
import { Uploads } from '../lib/uploads.js';

const SAVE_DRAFT = 500;

/*
 * Writing and sending. A message is shown at once, under an id of our own that
 * the server uses, too, so that its answer and its broadcast replace it. Texts
 * are sent one after another, to arrive in the order they were written.
 */
export default class extends Controller {
  static targets = ['clientid', 'fields', 'fileList', 'text'];

  static classes = ['toolbar'];

  static outlets = ['messages'];

  static values = { roomId: Number };

  #files = null;
  #listeners = null;
  #outbox = new SerialQueue();
  #posting = null;
  #previews = new LinkPreviews();
  #saveDraft = debounce(() => this.#keepDraft(), SAVE_DRAFT);
  #uploads = new Uploads();

  connect() {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;

    this.element.addEventListener('formdata', this.#fillForm, { signal });
    this.element.addEventListener('lexxy:change', this.#saveDraft, { signal });
    this.element.addEventListener('lexxy:insert-link', this.#previewLink, { signal });
    this.element.addEventListener('lexxy:initialize', () => this.#ready(), { signal });
    document.addEventListener('turbo:frame-render', this.#afterEdit, { signal });
    if (this.textTarget.editorContentElement?.isConnected) {
      this.#ready();
    }
  }

  disconnect() {
    this.#listeners?.abort();
    this.#listeners = null;
    this.#saveDraft.cancel();
    this.#previews.cancel();
  }

  fileListTargetConnected(element) {
    this.#files = new FileList(element);
  }

  fileListTargetDisconnected() {
    this.#files.clear();
  }

  submit(event) {
    event.preventDefault();
    if (this.fieldsTarget.disabled || !this.hasMessagesOutlet) {
      return;
    }

    this.#sendFiles();
    this.#sendText();
    this.element.classList.remove(this.toolbarClass);
    this.textTarget.focus();
  }

  submitByKeyboard(event) {
    const sends = sendsMessage(event, {
      prompt: this.textTarget.hasOpenPrompt,
      toolbar: this.element.classList.contains(this.toolbarClass),
      touch: isTouchDevice(),
    });

    // not from the fields of the toolbar
    if (sends && event.target.closest('.lexxy-editor__content')) {
      event.stopPropagation();
      this.submit(event);
    }
  }

  submitEnd(event) {
    if (event.target === this.element) {
      this.#posting?.done(event.detail.success);
    }
  }

  toggleToolbar() {
    this.element.classList.toggle(this.toolbarClass);
    this.textTarget.focus();
  }

  filePicked({ currentTarget }) {
    this.#queue([...currentTarget.files]);
    currentTarget.value = '';
    this.textTarget.focus();
  }

  dropFiles({ detail: { files } }) {
    this.#queue(files);
    this.textTarget.focus();
  }

  // Spreadsheets copy a picture of the cells along with their text, browsers
  // the address of a picture along with it.
  pasteFiles(event) {
    const { files, types } = event.clipboardData ?? {};
    const isText = types?.includes('text/html') && types.includes('text/plain');

    if (files?.length > 0 && !isText) {
      event.preventDefault();
      event.stopPropagation();
      this.#queue([...files]);
    }
  }

  preventAttachment(event) {
    event.preventDefault();
  }

  online() {
    this.fieldsTarget.disabled = false;
  }

  offline() {
    this.fieldsTarget.disabled = true;
  }

  // For replies.
  replaceContent(html) {
    this.textTarget.value = html;
    this.textTarget.focus();
  }

  #ready() {
    const draft = drafts.load(currentUserId(), this.roomIdValue);

    if (draft && this.textTarget.isEmpty) {
      this.textTarget.value = draft;
    }
    if (!isTouchDevice() && nothingFocused()) {
      setTimeout(() => this.textTarget.isConnected && nothingFocused() && this.textTarget.focus());
    }
  }

  #sendText() {
    const editor = this.textTarget;
    if (editor.isBlank) {
      return;
    }

    const message = { id: newClientId(), body: editor.value, text: editor.toString() };
    this.#previews.cancel();
    editor.value = '';
    this.#saveDraft.cancel();
    drafts.clear(currentUserId(), this.roomIdValue);
    this.#deliver(message, this.#showText(message));
  }

  #showText({ id, body, text }) {
    const plain = text.replace(/\n+$/, '');
    const sound = soundIn(plain);
    const html = sound
      ? `<span class="pending">Playing ${escapeHtml(sound)}…</span>`
      : `<div class="lexxy-content trix-content">${safeHtml(body)}</div>`;

    return this.messagesOutlet.insertPendingMessage(id, html, { emoji: isAllEmoji(plain) });
  }

  #deliver(message, shown) {
    return this.#outbox.push(async () => {
      await shown;
      await nextFrameOrTick();
      if (this.element.isConnected && !await this.#post(message)) {
        this.#textFailed(message);
      }
    });
  }

  // Turbo sends the form, with what #fillForm puts in.
  #post(message) {
    return new Promise((resolve) => {
      this.#posting = {
        message,
        done: (success) => {
          this.#posting = null;
          resolve(success);
        },
      };
      this.clientidTarget.value = message.id;
      this.element.requestSubmit();
    });
  }

  // The editor already holds the next message.
  #fillForm = ({ formData }) => {
    if (this.#posting) {
      formData.set(this.textTarget.getAttribute('name'), this.#posting.message.body);
      formData.set(this.clientidTarget.name, this.#posting.message.id);
    }
  };

  #textFailed(message) {
    if (!this.hasMessagesOutlet) {
      drafts.save(currentUserId(), this.roomIdValue, message.body);
      return;
    }

    this.messagesOutlet.failPendingMessage(message.id, {
      Retry: () => {
        this.messagesOutlet.retryPendingMessage(message.id);
        this.#deliver(message, null);
      },
      Remove: () => {
        this.messagesOutlet.removePendingMessage(message.id);
        if (this.textTarget.isEmpty) {
          this.replaceContent(message.body);
        }
      },
    });
  }

  #queue(files) {
    const limit = Number(this.element.dataset.maxUploadBytes) || Infinity;
    const fitting = files.filter((file) => file.size <= limit);

    this.#files.add(fitting);
    this.#notice(fitting.length < files.length
      ? `Files may have at most ${Math.floor(limit / 1048576)} MB.` : '');
  }

  #notice(text) {
    let notice = this.element.querySelector('.composer__notice');

    if (text && !notice) {
      notice = document.createElement('p');
      notice.className = 'composer__notice txt-small';
      notice.setAttribute('role', 'alert');
      this.fileListTarget.after(notice);
    }
    if (notice) {
      notice.textContent = text;
      notice.hidden = text === '';
    }
  }

  #sendFiles() {
    this.#notice('');
    for (const file of this.#files.take()) {
      this.#upload({ id: newClientId(), file });
    }
  }

  async #upload(upload) {
    const { id, file } = upload;
    const { messagesOutlet: messages } = this;
    const url = this.element.action;

    upload.abort = new AbortController();
    await messages.insertPendingMessage(id, progressHtml(file, 0));
    messages.updatePendingMessage(id, (body) => body.append(this.#cancelButton(upload)));

    try {
      const streams = await this.#uploads.add({
        url,
        file,
        clientId: id,
        signal: upload.abort.signal,
        progress: (percent) => messages.updatePendingMessage(id, (body) =>
          showProgress(body, file, percent)),
      });
      await applyStreams(streams);
    } catch {
      if (upload.cancelled) {
        messages.removePendingMessage(id);
      } else {
        this.#uploadFailed(upload, messages);
      }
    }
  }

  #uploadFailed(upload, messages) {
    messages.updatePendingMessage(upload.id, (body) => body.querySelector('button')?.remove());
    messages.failPendingMessage(upload.id, {
      Retry: () => {
        messages.removePendingMessage(upload.id);
        this.#upload({ id: newClientId(), file: upload.file });
      },
      Remove: () => messages.removePendingMessage(upload.id),
    });
  }

  #cancelButton(upload) {
    const button = document.createElement('button');

    button.type = 'button';
    button.className = 'btn txt-small message__cancel-upload';
    button.textContent = 'Cancel';
    button.addEventListener('click', () => {
      upload.cancelled = true;
      upload.abort.abort();
    });
    return button;
  }

  #previewLink = async ({ target, detail: { url, insertBelowLink } }) => {
    if (!insertBelowLink || !target.permitsAttachmentContentType?.(PREVIEW_TYPE)) {
      return;
    }

    const found = await this.#previews.find(/^www\./i.test(url) ? `https://${url}` : url);
    if (found && target.isConnected && target.toString().includes(url)) {
      insertBelowLink(previewHtml(found), { attachment: { contentType: PREVIEW_TYPE } });
    }
  };

  // Whoever edited goes on writing.
  #afterEdit = ({ target }) => {
    if (target.id.startsWith('edit_message_') && !target.querySelector('lexxy-editor')
        && !isTouchDevice() && nothingFocused()) {
      this.textTarget.focus();
    }
  };

  #keepDraft() {
    const editor = this.textTarget;
    drafts.save(currentUserId(), this.roomIdValue, editor.isBlank ? null : editor.value);
  }
}

function nothingFocused() {
  return !document.activeElement || document.activeElement === document.body;
}

function progressHtml(file, percent) {
  return `<div class="message__pending-upload" style="--percentage: ${percent}%">`
       + `${escapeHtml(file.name)} - ${percent}%</div>`;
}

function showProgress(body, file, percent) {
  const block = body.querySelector('.message__pending-upload');
  if (block) {
    block.style.setProperty('--percentage', `${percent}%`);
    block.textContent = `${file.name} - ${percent}%`;
  }
}
