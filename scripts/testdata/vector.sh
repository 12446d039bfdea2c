# SVG, and what it tries. Sourced by testdata/generate.

facts() { echo "{\"kind\":\"image\",\"type\":\"image/svg+xml\",\"extension\":\"svg\"${1:+,$1}}"; }
open='<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
shapes='<rect width="120" height="80" fill="#2040c0"/><circle cx="40" cy="40" r="25" fill="#e0c020"/>'

echo "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
$open width=\"120\" height=\"80\">$shapes</svg>" >vector/plain.svg
record vector/plain.svg "width and height in pixels" "hand-written" "$(facts '"width":120,"height":80,"error":null')" \
  '[{"x":40,"y":40,"rgb":[224,192,32]},{"x":110,"y":10,"rgb":[32,64,192]}]'

echo "$open viewBox=\"0 0 120 80\">$shapes</svg>" >vector/viewbox.svg
record vector/viewbox.svg "size from the viewBox alone; no XML declaration" "hand-written" "$(facts '"width":120,"height":80,"error":null')" \
  '[{"x":40,"y":40,"rgb":[224,192,32]},{"x":110,"y":10,"rgb":[32,64,192]}]'

# 1 inch is 96 pixels.
echo "$open width=\"1in\" height=\"0.5in\" viewBox=\"0 0 120 80\">$shapes</svg>" >vector/inches.svg
record vector/inches.svg "lengths with units" "hand-written" "$(facts '"width":96,"height":48,"error":null')"

echo "$open width=\"120\" height=\"80\">$shapes
<image xlink:href=\"file:///etc/passwd\" width=\"60\" height=\"40\"/>
<image xlink:href=\"http://192.0.2.1/x.png\" width=\"60\" height=\"40\"/>
<style>@import url(http://192.0.2.1/x.css);</style></svg>" >vector/external.svg
record vector/external.svg "references to files and the network: never followed" "hand-written; 192.0.2.1 is reserved for documentation" \
  "$(facts '"width":120,"height":80')"

cat >vector/entities.svg <<'END'
<?xml version="1.0"?>
<!DOCTYPE svg [
<!ENTITY file SYSTEM "file:///etc/passwd">
<!ENTITY a "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
<!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;">
<!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;"><!ENTITY g "&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;">
]>
<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><text y="20">&file;</text><text y="40">&g;</text></svg>
END
record vector/entities.svg "entities that read a file and that grow a thousandfold each" "hand-written" "$(facts)"

echo "$open width=\"40000\" height=\"40000\">$shapes</svg>" >vector/huge.svg
record vector/huge.svg "says it is 1.6 gigapixels: a vector picture is drawn at the size asked for" "hand-written" \
  "$(facts '"width":40000,"height":40000')"

gzip -nc vector/plain.svg >vector/plain.svgz
record vector/plain.svgz "compressed SVG: at least an archive, never a hang" "gzip of plain.svg"
