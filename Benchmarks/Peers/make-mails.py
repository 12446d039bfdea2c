"""make-mails.py FOLDER COUNT: the generated mails of scripts/mail-peers as 0.eml, 1.eml and on."""
import importlib.machinery, importlib.util, os, sys

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts/mail-peers")
loader = importlib.machinery.SourceFileLoader("peers", path)
sys.dont_write_bytecode = True
peers = importlib.util.module_from_spec(importlib.util.spec_from_loader("peers", loader))
loader.exec_module(peers)
os.makedirs(sys.argv[1])
for number in range(int(sys.argv[2])):
    with open(os.path.join(sys.argv[1], "%d.eml" % number), "wb") as file:
        file.write(peers.generated(18 * 1_000_003 + number))
