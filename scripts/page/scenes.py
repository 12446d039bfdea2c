"""Photos for the tests of the page: landscapes drawn from a number, with a time and a location in their EXIF."""
import datetime
import io
import math
import random

from PIL import Image, ImageDraw, ImageFilter

# Skies from the top to the horizon, the sun, and the hills from far to near.
PALETTES = [
    ((38, 70, 130), (246, 178, 120), (255, 236, 196), (120, 96, 128), (36, 34, 62)),
    ((92, 164, 222), (222, 238, 246), (255, 255, 244), (128, 170, 160), (34, 84, 70)),
    ((20, 26, 58), (226, 96, 88), (255, 208, 140), (96, 48, 84), (18, 16, 36)),
    ((140, 186, 214), (250, 226, 204), (255, 246, 226), (190, 160, 140), (96, 74, 62)),
    ((52, 120, 150), (196, 230, 216), (250, 252, 236), (84, 150, 130), (16, 62, 64)),
    ((198, 150, 182), (252, 214, 176), (255, 240, 210), (150, 110, 150), (58, 42, 86)),
]
PLACES = [(47.0, 8.3), (46.9, 8.4), (41.9, 12.5), (64.1, -21.9), (35.7, 139.7), (-33.9, 18.4), (-22.95, -43.2), (37.8, -122.4), (48.2, 16.4)]


def mix(one, two, share):
    return tuple(round(a + (b - a) * share) for a, b in zip(one, two))


def scene(number, width=1200, height=900):
    """A landscape; the same number gives the same picture."""
    dice = random.Random(number)
    top, low, sun, far, near = PALETTES[number % len(PALETTES)]
    small, tall = width // 2, height // 2
    image = Image.new("RGB", (small, tall))
    draw = ImageDraw.Draw(image)
    horizon = tall * dice.uniform(0.5, 0.68)
    for y in range(tall):
        draw.line([(0, y), (small, y)], fill=mix(top, low, min(1, y / horizon) ** 1.2))
    x, y, r = dice.uniform(0.2, 0.8) * small, horizon * dice.uniform(0.45, 0.9), small * dice.uniform(0.03, 0.06)
    glow = Image.new("RGB", (small, tall), (0, 0, 0))
    ImageDraw.Draw(glow).ellipse([x - 3 * r, y - 3 * r, x + 3 * r, y + 3 * r], fill=tuple(c // 3 for c in sun))
    image = Image.composite(Image.new("RGB", image.size, sun), image, glow.filter(ImageFilter.GaussianBlur(r * 1.6)).convert("L"))
    draw = ImageDraw.Draw(image)
    draw.ellipse([x - r, y - r, x + r, y + r], fill=sun)
    for layer in range(5):
        share = layer / 4
        base = horizon + (tall - horizon) * share * 0.75
        waves = [(dice.uniform(0.5, 4 + 3 * layer), dice.uniform(0, 6.3), dice.uniform(0.2, 1)) for _ in range(5)]
        rise = tall * (0.16 - 0.022 * layer)
        points = []
        for step in range(0, small + 4, 4):
            wave = sum(math.sin(step / small * f * 3.1 + p) * a / (1 + f / 3) for f, p, a in waves)
            points.append((step, base - rise * wave * 0.5 + dice.uniform(-0.6, 0.6)))
        draw.polygon([(0, tall), *points, (small, tall)], fill=mix(far, near, share))
    return image.resize((width, height), Image.LANCZOS)


def photo(number, taken, width=1200, height=900, place=None):
    """A JPEG in bytes."""
    image = scene(number, width, height)
    exif = Image.Exif()
    exif[0x010F], exif[0x0110] = "Mediatool", "Scene"
    exif.get_ifd(0x8769).update({0x9003: taken.strftime("%Y:%m:%d %H:%M:%S"), 0x9011: "+00:00"})
    if place:
        gps = exif.get_ifd(0x8825)
        for tag, value, names in ((1, place[0], "NS"), (3, place[1], "EW")):
            degrees = abs(value)
            gps[tag] = names[value < 0]
            gps[tag + 1] = (float(int(degrees)), float(int(degrees % 1 * 60)), round(degrees * 60 % 1 * 60, 2))
    data = io.BytesIO()
    image.save(data, "JPEG", quality=82, exif=exif)
    return data.getvalue()


def roll(count, now=None):
    """Names and bytes of photos, the newest first: some of today, the rest back over weeks, at places of several continents."""
    now = now or datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    dice = random.Random(7)
    taken = now
    for number in range(count):
        taken -= datetime.timedelta(minutes=dice.choice([2, 9, 40, 200, 900, 1500]))
        size = dice.choice([(1200, 900), (900, 1200), (1200, 800), (1000, 1000)])
        latitude, longitude = PLACES[number // 6 % len(PLACES)]
        place = (latitude + dice.uniform(-0.3, 0.3), longitude + dice.uniform(-0.3, 0.3)) if number % 4 else None
        yield f"IMG_{1000 + count - number}.jpg", photo(number, taken, *size, place)


if __name__ == "__main__":
    import pathlib
    import sys
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in roll(int(sys.argv[2])):
        (folder / name).write_bytes(data)
