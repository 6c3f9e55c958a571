const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))$/;

/**
 * RFC 3339 `full-date`: 2024-02-29.
 * @stable
 */
export function date(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return false;
  const last = new Date(Date.UTC(2000, Number(month), 0));
  // the year apart, since Date takes those below 100 for 1900 and on
  last.setUTCFullYear(Number(year), Number(month), 0);
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= last.getUTCDate();
}

/**
 * RFC 3339 `full-time`: 23:20:50.52Z, 16:39:57-08:00; a leap second only where it can be.
 * @stable
 */
export function time(text: string): boolean {
  const [, hour, minute, second, sign, offsetHour = "0", offsetMinute = "0"] = TIME.exec(text) ?? [];
  if (hour === undefined) return false;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(offsetHour) > 23 || Number(offsetMinute) > 59) return false;
  if (Number(second) < 60) return true;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -1 : 1);
  const minuteOfDay = (Number(hour) * 60 + Number(minute) - offset + 2880) % 1440;
  return Number(second) === 60 && minuteOfDay === 1439;
}

/**
 * RFC 3339 `date-time`: a date and a time with a T between.
 * @stable
 */
export function dateTime(text: string): boolean {
  return /^.{10}[tT]/.test(text) && date(text.slice(0, 10)) && time(text.slice(11));
}
