// Two people, two browsers: set up, join, talk, edit, delete, scroll back.

import {
  check, connected, message, person, run, shot, url, write,
} from './browser.mjs';

async function fillIn(page, name) {
  await page.getByPlaceholder('Name', { exact: true }).fill(name);
  await page.getByPlaceholder('Email address').fill(`${name}@example.com`);
  await page.getByPlaceholder('Password').fill('secret123456');
  await page.locator('form:has(input[name="user[name]"]) button[type=submit]')
    .click();
  await page.waitForURL(/\/rooms\/\d+$/);
}

await run(async (browser) => {
  const ada = await person(browser, 'Ada');
  const bob = await person(browser, 'Bob');

  await ada.page.goto(url);
  await ada.page.waitForURL(/\/first_run$/);
  await shot(ada.page, '01-first-run');
  await fillIn(ada.page, 'Ada');
  await connected(ada.page);
  check(true, 'the first run leads to a live room');
  await shot(ada.page, '02-room-empty');

  const invitation = await ada.page.locator('#invite_url').inputValue();
  check(invitation.startsWith(`${url}/join/`), 'the room shows how to invite',
        invitation);

  await bob.page.goto(invitation);
  await shot(bob.page, '03-join');
  await fillIn(bob.page, 'Bob');
  await connected(bob.page);
  check(true, 'somebody joins and is in the room');

  await write(ada.page, 'Hello Bob, are you there?');
  await message(bob.page, 'Hello Bob, are you there?').waitFor();
  check(true, 'Bob sees what Ada writes');

  await message(ada.page, 'Hello Bob, are you there?').waitFor();
  check(await ada.page.locator('.message', { hasText: 'are you there?' })
    .count() === 1, 'Ada has it once');

  await write(bob.page, 'I am!');
  await message(ada.page, 'I am!').waitFor();
  check(true, 'Ada sees what Bob writes');

  await write(bob.page, '🎉');
  await ada.page.locator('.message--emoji').waitFor();
  check(true, 'an emoji alone is shown large');
  await shot(ada.page, '04-room-messages');

  // typing

  await bob.page.locator('#message_body .lexxy-editor__content').click();
  await bob.page.keyboard.type('wait, ');
  await ada.page.locator('.typing-indicator--active', { hasText: 'Bob' })
    .waitFor();
  check(true, 'Ada sees that Bob is typing');
  await bob.page.keyboard.press('Control+A');
  await bob.page.keyboard.press('Delete');

  // editing

  const own = message(bob.page, 'I am!');
  await own.hover();
  await own.locator('summary').click();
  await own.getByRole('link', { name: 'Edit' }).click();
  const field = bob.page.getByRole('textbox', { name: 'Edit message' });
  await field.waitFor();
  await field.click();
  await bob.page.keyboard.press('Control+A');
  await bob.page.keyboard.type('I am here');
  await shot(bob.page, '05-editing');
  await bob.page.getByRole('button', { name: 'Save changes' }).click();
  await message(ada.page, 'I am here').waitFor();
  check(true, 'Ada sees the edit');
  await message(bob.page, 'I am here').waitFor();

  // deleting

  const mine = message(bob.page, 'I am here');
  await mine.hover();
  await mine.locator('summary').click();
  await mine.getByRole('link', { name: 'Edit' }).click();
  bob.page.once('dialog', (dialog) => dialog.accept());
  await bob.page.getByRole('button', { name: 'Delete message' }).click();
  await message(ada.page, 'I am here').waitFor({ state: 'detached' });
  check(true, 'Ada sees it go');
  await message(bob.page, 'I am here').waitFor({ state: 'detached' });
  check(true, 'and so does Bob');

  // boost

  const boosted = message(bob.page, 'Hello Bob, are you there?');
  await boosted.hover();
  await boosted.locator('summary').click();
  await boosted.getByRole('button', { name: 'Thumbs up' }).click();
  await message(ada.page, 'Hello Bob, are you there?')
    .locator('.boost', { hasText: '👍' }).waitFor();
  check(true, 'Ada sees a boost');
  await bob.page.waitForTimeout(300);
  check(await boosted.locator('.boost-item').count() === 1,
        'Bob has his boost once');

  // a long past

  for (let i = 1; i <= 50; i += 1) {
    await write(ada.page, `Line ${i}`);
  }
  await message(bob.page, 'Line 50').waitFor();
  await bob.page.reload();
  await connected(bob.page);
  await message(bob.page, 'Line 50').waitFor();
  check(await message(bob.page, 'Hello Bob').count() === 0,
        'a page begins with the newest messages');
  await bob.page.locator('.messages').hover();
  for (let i = 0; i < 40 && await message(bob.page, 'Hello Bob').count() === 0;
    i += 1) {
    await bob.page.mouse.wheel(0, -2000);
    await bob.page.waitForTimeout(100);
  }
  await message(bob.page, 'Hello Bob').waitFor();
  check(true, 'older ones come on scrolling');

  const order = await bob.page.locator('.message[data-message-id]')
    .evaluateAll((all) => all.map((one) => Number(one.dataset.messageId)));
  check(order.every((id, i) => i === 0 || id > order[i - 1]),
        'in order, each once', order.join(' '));

  // away and back

  await bob.context.setOffline(true);
  await write(ada.page, 'While you were away');
  await bob.page.waitForTimeout(1000);
  await bob.context.setOffline(false);
  await message(bob.page, 'While you were away').waitFor({ timeout: 40000 });
  check(true, 'what was missed is there after a break');
  bob.complaints.length = 0;

  // permalink

  const first = message(bob.page, 'Hello Bob').first();
  const href = await first.locator('a.message__permalink').getAttribute('href');
  await bob.page.goto(url + href);
  await bob.page.locator('.search-highlight', { hasText: 'Hello Bob' })
    .waitFor();
  check(true, 'a permalink shows its message');

  // phone

  const phone = await person(browser, 'phone', {
    viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true,
    storageState: await ada.context.storageState(),
  });
  await phone.page.goto(`${url}/rooms/1`);
  await connected(phone.page);
  await shot(phone.page, '06-phone');
  const wide = await phone.page.evaluate(
    () => document.documentElement.scrollWidth - window.innerWidth);
  check(wide <= 0, 'a phone needs no sideways scrolling', String(wide));
  await phone.page.getByRole('button', { name: 'Open menu' }).click();
  await phone.page.waitForTimeout(400);
  await shot(phone.page, '07-phone-menu');

  // out

  const dark = await person(browser, 'dark', {
    colorScheme: 'dark', storageState: await ada.context.storageState(),
  });
  await dark.page.goto(`${url}/rooms/1`);
  await connected(dark.page);
  await shot(dark.page, '08-dark');

  const stranger = await person(browser, 'stranger');
  await stranger.page.goto(url);
  await stranger.page.waitForURL(/\/session\/new$/);
  await shot(stranger.page, '09-sign-in');
  await stranger.page.getByPlaceholder('Enter your email address')
    .fill('Ada@example.com');
  await stranger.page.getByPlaceholder('Enter your password')
    .fill('secret123456');
  await stranger.page.getByRole('button', { name: 'Go' }).click();
  await stranger.page.waitForURL(/\/rooms\/1$/);
  check(true, 'signing in leads to the room');

  for (const one of [ada, bob, phone, dark, stranger]) {
    check(one.complaints.length === 0, `no complaints of ${one.name}`,
          one.complaints.join('\n'));
  }
});
